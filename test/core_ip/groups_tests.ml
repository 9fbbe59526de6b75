(* Members of groups: what the routers hear, and what sockets receive. *)

open Weir_test
open Weir_base
open Weir_wire
open Weir_core
open V6_net
module M = Membership

let both = "10.0.0.1/24,fd00::1/64"
let ip s = Ip.of_ipaddr (address s)

let set ?(now = 0) ?interface t s group filter =
  Stack.set_membership t ~now ?interface s (address group) filter

let join ?now ?(filter = Groups.Exclude []) t s group =
  match set ?now t s group filter with
  | Ok () -> ()
  | Error _ -> Alcotest.failf "not joined %s" group

let leave ?now t s group = join ?now ~filter:(Include []) t s group

(* What a packet says after its source. *)
let said lines =
  List.map
    (fun l ->
      match String.index_opt l '>' with
      | Some i -> String.sub l (i + 2) (String.length l - i - 2)
      | None -> l)
    lines

(* All that the host sends until then, with the time of each in ms. *)
let rec until t ~now limit =
  let due = Stack.deadline t in
  if due > limit then []
  else
    let now = Int.max now due in
    Stack.tick t ~now;
    let lines = said (sent ~now t) in
    List.map (fun l -> (now, l)) lines @ until t ~now:(now + 1) limit

let v4_frame ?(ttl = 1) ?(src = "10.0.0.2") ~dst ~protocol ~length fill =
  let src = ip src and dst = ip dst in
  let b = Bytes.make (34 + length) '\000' in
  Ethernet.write b ~off:0 ~dst:(Ip.group_mac dst) ~src:(Net.mac 2) Ethernet.ethertype_ipv4;
  Ipv4.write { Ipv4.base with ttl } b ~off:14 ~src ~dst ~protocol ~data_length:length
    ~identification:0;
  fill b 34 (Ip.pseudo_sum ~src ~dst ~protocol ~length);
  b

let igmp ?ttl ?src ?(dst = "224.0.0.1") m =
  v4_frame ?ttl ?src ~dst ~protocol:2 ~length:(M.length ~v4:true m) (fun b off _ ->
      M.emit m ~pseudo:0 ~v4:true b ~off)

let alert = "\x3a\x00\x05\x02\x00\x00\x01\x00"

let mld ?(hop_limit = 1) ?(chain = alert) ?(src = "fe80::2") ?(dst = "ff02::1") m =
  let next = if chain = "" then None else Some 0 in
  packet ~hop_limit ~chain ?next ~src:(v6 src) ~dst:(v6 dst) ~protocol:58
    ~length:(M.length ~v4:false m) (fun b off pseudo -> M.emit m ~pseudo ~v4:false b ~off)

let query ?(from = []) ?(ms = 10_000) ?about version ~v4 =
  let about = match about with None -> if v4 then Ip.any else Ip.any_v6 | Some g -> ip g in
  M.Query
    {
      version;
      max_response_ms = ms;
      about;
      from = List.map ip from;
      robustness = 2;
      interval_s = 125;
    }

(* Of each family: a group, a host, how a message of it reaches the host, and its newest version. *)
type family = {
  v4 : bool;
  group : string;
  other : string;
  sender : string;
  give : Stack.t -> now:int -> M.t -> unit;
  old : int;
  newest : int;
}

let families =
  [
    {
      v4 = true;
      group = "239.1.2.3";
      other = "239.1.2.4";
      sender = "10.0.0.9";
      give = (fun t ~now m -> V6_net.give ~now t (igmp m));
      old = 2;
      newest = 3;
    };
    {
      v4 = false;
      group = "ff05::1:3";
      other = "ff05::1:4";
      sender = "fd00::9";
      give = (fun t ~now m -> V6_net.give ~now t (mld m));
      old = 1;
      newest = 2;
    };
  ]

let each f () = List.iter f families
let s = Time.s
let open_ t = udp t ~at:"::" ~port:5_000
let to_newest f line = (if f.v4 then "224.0.0.22 " else "ff02::16 ") ^ line
let times l = List.map fst l
let texts l = List.map snd l

(* RFC 9776 §5.1, §8.1: at once, and once more within a second. *)
let reported f =
  let t = host ~addresses:both () in
  let socket = open_ t in
  let check what ~at act line =
    act ();
    lines (what ^ ", at once") [ line ] (said (sent ~now:at t));
    let later = until t ~now:at (at + s 20) in
    lines (what ^ ", again") [ line ] (texts later);
    check_bool "within a second" true (List.for_all (fun n -> n <= at + s 1 + 1) (times later))
  in
  let line kind = to_newest f (Fmt.str "group report %s %s" f.group kind) in
  check "joined" ~at:0 (fun () -> join t socket f.group) (line "to exclude");
  check "without one" ~at:(s 30)
    (fun () -> join t socket f.group ~now:(s 30) ~filter:(Exclude [ ip f.sender ]))
    (line (Fmt.str "block {%s}" f.sender));
  check "only from one" ~at:(s 60)
    (fun () -> join t socket f.group ~now:(s 60) ~filter:(Include [ ip f.sender ]))
    (line (Fmt.str "to include {%s}" f.sender));
  check "left" ~at:(s 90)
    (fun () -> leave t socket f.group ~now:(s 90))
    (line (Fmt.str "block {%s}" f.sender));
  join t socket f.group ~now:(s 120);
  ignore (until t ~now:(s 120) (s 130));
  check "closed" ~at:(s 150)
    (fun () ->
      Udp_sockets.close (Stack.udp t) socket;
      Stack.tick t ~now:(s 150))
    (line "to include")

(* §5.2: answered at a random time, about what was asked. *)
let answered f =
  let t = host ~addresses:both () in
  let socket = open_ t in
  join t socket f.group;
  join t socket f.other ~filter:(Include [ ip f.sender ]);
  ignore (until t ~now:0 (s 10));
  let ask ~at ?from ?ms ?about () =
    f.give t ~now:at (query f.newest ?from ?ms ?about ~v4:f.v4);
    let l = until t ~now:at (at + s 20) in
    List.iter (fun n -> check_bool "in time" true (n > at && n <= at + s 10 + 2)) (times l);
    texts l
  in
  let holds what l part =
    if not (List.exists (fun x -> Text.contains x part) l) then
      Alcotest.failf "%s: no %S in %s" what part (String.concat "; " l)
  in
  let all = ask ~at:(s 20) () in
  check_int "one packet" 1 (List.length all);
  holds "all" all (f.group ^ " is exclude");
  holds "all" all (Fmt.str "%s is include {%s}" f.other f.sender);
  lines "about a group"
    [ to_newest f (Fmt.str "group report %s is exclude" f.group) ]
    (ask ~at:(s 50) ~about:f.group ());
  lines "about sources"
    [ to_newest f (Fmt.str "group report %s is include {%s}" f.other f.sender) ]
    (ask ~at:(s 80) ~about:f.other ~from:[ f.sender; (if f.v4 then "10.0.0.8" else "fd00::8") ] ());
  lines "about no source of it" []
    (ask ~at:(s 110) ~about:f.other ~from:[ (if f.v4 then "10.0.0.8" else "fd00::8") ] ());
  lines "about another group" []
    (ask ~at:(s 140) ~about:(if f.v4 then "239.9.9.9" else "ff05::9") ());
  (* Many questions, one answer. *)
  for i = 0 to 99 do
    f.give t ~now:(s 170 + i) (query f.newest ~v4:f.v4)
  done;
  check_int "one answer to all" 1 (List.length (until t ~now:(s 171) (s 190)))

(* §7: an old router is answered as it expects, until it has been silent for long. *)
let old_router f =
  let t = host ~addresses:both () in
  let socket = open_ t in
  f.give t ~now:0 (query f.old ~v4:f.v4);
  ignore (until t ~now:0 (s 11));
  let own = Fmt.str "%s group report v%d %s" f.group f.old f.group in
  join t socket f.group ~now:(s 12);
  lines "joined" [ own; own ] (said (sent ~now:(s 12) t) @ texts (until t ~now:(s 12) (s 25)));
  f.give t ~now:(s 30) (query f.old ~about:f.group ~v4:f.v4);
  lines "asked" [ own ] (texts (until t ~now:(s 30) (s 50)));
  f.give t ~now:(s 30) (query f.old ~about:f.group ~v4:f.v4);
  let heard () =
    let to_group b = if f.v4 then igmp ~dst:f.group b else mld ~dst:f.group b in
    V6_net.give ~now:(s 30) t (to_group (M.Report { version = f.old; group = ip f.group }))
  in
  heard ();
  lines "another member answered" [] (texts (until t ~now:(s 30) (s 50)));
  leave t socket f.group ~now:(s 60);
  lines "the other tells of itself" [] (said (sent ~now:(s 60) t));
  join t socket f.group ~now:(s 70);
  ignore (sent ~now:(s 70) t);
  leave t socket f.group ~now:(s 71);
  lines "left"
    [ Fmt.str "%s group leave %s" (if f.v4 then "224.0.0.2" else "ff02::2") f.group ]
    (said (sent ~now:(s 71) t));
  join t socket f.group ~now:(s 400);
  lines "the old router is forgotten"
    [ to_newest f (Fmt.str "group report %s to exclude" f.group) ]
    (said (sent ~now:(s 400) t))

let first_version () =
  let t = host ~addresses:both () in
  let socket = open_ t in
  give t (igmp (query 1 ~ms:0 ~v4:true));
  join t socket "239.1.2.3" ~now:(s 1);
  lines "joined" [ "239.1.2.3 group report v1 239.1.2.3" ] (said (sent ~now:(s 1) t));
  ignore (until t ~now:(s 1) (s 20));
  leave t socket "239.1.2.3" ~now:(s 21);
  lines "left in silence" [] (texts (until t ~now:(s 21) (s 40)))

(* RFC 4861 §7.2.1: members by their addresses; on devices the routers hear of it, before the
   question whether somebody has the address, and from [::] while there is none (RFC 3590). *)
let of_addresses () =
  let t = host ~transmits:1 ~addresses:"fd00::1/64" () in
  Stack.tick t ~now:0;
  let first = sent t in
  let has part = List.exists (fun l -> Text.contains l part) first in
  check_bool "reported" true (has ":: > ff02::16 group report ff02::1:ff00:1 to exclude");
  ignore (until t ~now:0 (s 5));
  give ~now:(s 6) t (mld (query 2 ~v4:false));
  (match until t ~now:(s 6) (s 20) with
  | [ (_, l) ] -> check_bool l true (Text.contains l "ff02::1:ff00:1 is exclude")
  | l -> Alcotest.failf "%d answers" (List.length l));
  Stack.remove_address t (Stack.interface t 0) (address "fd00::1");
  let last = until t ~now:(s 30) (s 40) in
  check_bool "removed" true
    (List.exists (fun l -> Text.contains l "ff02::1:ff00:1 to include") (texts last));
  let quiet = host ~addresses:"fd00::1/64" () in
  lines "without a test" [] (texts (until quiet ~now:0 (s 10)))

(* -- what is not believed -------------------------------------------------------- *)

let forged () =
  let t = host ~addresses:both () in
  let socket = open_ t in
  List.iter (fun f -> join t socket f.group) families;
  ignore (until t ~now:0 (s 10));
  let v4 = query 3 ~v4:true and v6q = query 2 ~v4:false in
  List.iter
    (give ~now:(s 10) t)
    [
      igmp ~ttl:2 v4;
      igmp ~src:"224.0.0.5" v4;
      mld ~hop_limit:64 v6q;
      mld ~chain:"" v6q;
      mld ~src:"fd00::2" v6q;
      (let b = igmp v4 in
       Bytes.set_uint8 b 36 (Bytes.get_uint8 b 36 lxor 1);
       b);
      Bytes.sub (igmp v4) 0 40;
    ];
  lines "no answer" [] (texts (until t ~now:(s 10) (s 40)));
  give ~now:(s 50) t (igmp ~src:"0.0.0.0" v4);
  check_int "a switch without an address asks" 1 (List.length (until t ~now:(s 50) (s 70)))

let bounds () =
  let t = host ~addresses:both () in
  let group n = Fmt.str "239.2.%d.%d" (n / 250) (1 + (n mod 250)) in
  let sources n = List.init n (fun i -> Ip.of_int (0x0a00_0002 + i)) in
  let is what want got =
    check_bool what true
      (match (want, got) with
      | `Ok, Ok () | `Too_many, Error `Too_many | `None, Error `No_interface -> true
      | `Bad, Error `Not_a_group -> true
      | _ -> false)
  in
  let a = open_ t in
  is "64 sources" `Ok (set t a (group 0) (Include (sources 64)));
  is "65 sources" `Too_many (set t a (group 0) (Include (sources 65)));
  for n = 1 to 19 do
    is "a group" `Ok (set t a (group n) (Exclude []))
  done;
  is "one too many" `Too_many (set t a (group 20) (Exclude []));
  is "another filter" `Ok (set t a (group 3) (Include (sources 1)));
  is "a host" `Bad (set t a "10.0.0.9" (Exclude []));
  is "a source of the other family" `Bad (set t a (group 1) (Include [ ip "fd00::9" ]));
  is "a group as source" `Bad (set t a (group 1) (Include [ ip "239.1.1.1" ]));
  is "no interface" `None (set t a ~interface:7 (group 1) (Exclude []));
  let only_v4 = udp t ~at:"0.0.0.0" ~port:7_000 in
  is "IPv6 by a socket of IPv4" `Bad (set t only_v4 "ff05::1" (Exclude []));
  let more = Stack.set_membership t ~now:0 in
  let opened = ref 0 in
  for n = 0 to 99 do
    let s = udp t ~at:"0.0.0.0" ~port:(8_000 + n) in
    for i = 0 to 19 do
      match more s (address (Fmt.str "239.3.%d.%d" n i)) (Groups.Exclude []) with
      | Ok () -> incr opened
      | Error _ -> ()
    done
  done;
  (* Two are those of the addresses. *)
  check_int "of all" Groups.most_members (!opened + 20 + 2)

(* -- reception --------------------------------------------------------------------- *)

let to_group ?(src = "10.0.0.9") group text =
  let length = 8 + String.length text in
  let fill b off pseudo =
    Bytes.blit_string text 0 b (off + 8) (String.length text);
    Udp.emit
      { src_port = 9; dst_port = 5_000; data_length = String.length text; checksummed = true }
      ~pseudo b ~off
  in
  if String.contains group ':' then packet ~src:(v6 src) ~dst:(v6 group) ~protocol:17 ~length fill
  else v4_frame ~ttl:5 ~src ~dst:group ~protocol:17 ~length fill

let heard = receive

let received f =
  let t = host ~addresses:both () in
  let bind at = Result.get_ok (Stack.bind_udp t ~address:(address at) ~port:5_000 ~reuse:true) in
  let any = bind "::" and member = bind "::" and bound = bind f.group in
  let all = if f.v4 then "224.0.0.1" else "ff02::1" in
  let check what group ?(src = f.sender) expected =
    give t (to_group ~src group what);
    let line who s = Fmt.str "%s: %s" who (heard s) in
    lines what
      (List.map
         (fun (who, hears) ->
           Fmt.str "%s: %s" who (if hears then what ^ " from " ^ src else "nothing"))
         expected)
      [ line "any" any; line "member" member; line "bound" bound ]
  in
  let none = [ ("any", false); ("member", false); ("bound", false) ] in
  check "no members" f.group none;
  join t member f.group;
  join t bound f.group;
  check "members" f.group [ ("any", false); ("member", true); ("bound", true) ];
  check "another group" f.other none;
  join t member f.other;
  check "bound elsewhere" f.other [ ("any", false); ("member", true); ("bound", false) ];
  join t member f.group ~filter:(Exclude [ ip f.sender ]);
  check "a source less" f.group [ ("any", false); ("member", false); ("bound", true) ];
  join t member f.group ~filter:(Include [ ip f.sender ]);
  check "only that source" f.group [ ("any", false); ("member", true); ("bound", true) ];
  check "not another" f.group
    ~src:(if f.v4 then "10.0.0.8" else "fd00::8")
    [ ("any", false); ("member", false); ("bound", true) ];
  leave t member f.group;
  check "left" f.group [ ("any", false); ("member", false); ("bound", true) ];
  check "for all" all [ ("any", true); ("member", true); ("bound", false) ]

(* Each interface has its own members. *)
let by_interface () =
  let t = host ~addresses:"10.0.0.1/24" () in
  let second = Stack.add_interface t ~mac:(Net.mac 7) ~mtu:1_500 in
  Stack.add_address t second (Ipaddr.Prefix.of_string_exn "10.1.0.1/24");
  let s = open_ t in
  let on n =
    let f = Frame.alloc pool in
    let b = to_group "239.1.2.3" "x" in
    Bytes.blit b 0 f.data 0 (Bytes.length b);
    Frame.set f ~off:0 ~len:(Bytes.length b);
    Stack.input t ~now:0 ~interface:n f;
    Frame.release f;
    heard s
  in
  Result.get_ok (set t s ~interface:1 "239.1.2.3" (Exclude []));
  Alcotest.(check string) "on the first" "nothing" (on 0);
  Alcotest.(check string) "on the second" "x from 10.0.0.9" (on 1);
  let f = Frame.alloc pool in
  check_int "the report leaves by it" 1 (Stack.transmit t ~now:0 f);
  Udp_sockets.set_group_interface s 1;
  ignore (Result.get_ok (send t s ~dst:"239.1.2.4" ~port:9 "y"));
  check_int "and datagrams, if so asked" 1 (Stack.transmit t ~now:0 f);
  check_int "with a time to live of 1" 1 (Bytes.get_uint8 f.data 22)

let loops f =
  let t = host ~addresses:both () in
  let s = open_ t in
  join t s f.group;
  ignore (sent t);
  let own = if f.v4 then "10.0.0.1" else "fd00::1" in
  let talk text = Result.get_ok (send t s ~dst:f.group ~port:5_000 text) in
  talk "a";
  Alcotest.(check string) "this host hears it" ("a from " ^ own) (heard s);
  check_int "and the link" 1 (List.length (sent t));
  Udp_sockets.set_group_loop s false;
  talk "b";
  Alcotest.(check string) "not without the loop" "nothing" (heard s);
  Udp_sockets.set_group_loop s true;
  Udp_sockets.set_group_ttl s 0;
  ignore (sent t);
  talk "c";
  Alcotest.(check string) "a time to live of 0" ("c from " ^ own) (heard s);
  check_int "stays here" 0 (List.length (sent t))

(* RFC 9776 §3.2. *)
let merged () =
  let show = function
    | Groups.Include l -> Fmt.str "only %a" Fmt.(list ~sep:(any " ") Ip.pp) l
    | Exclude l -> Fmt.str "not %a" Fmt.(list ~sep:(any " ") Ip.pp) l
  in
  let a = Ip.of_int 1 and b = Ip.of_int 2 and c = Ip.of_int 3 in
  List.iter
    (fun (expected, l) -> Alcotest.(check string) expected expected (show (Groups.merge l)))
    [
      ("only ", []);
      ("only 0.0.0.1 0.0.0.2", [ Groups.Include [ b ]; Include [ a; b ] ]);
      ("not ", [ Exclude [ a ]; Exclude [ b ] ]);
      ("not 0.0.0.2", [ Exclude [ a; b ]; Exclude [ b; c ] ]);
      ("not 0.0.0.2", [ Exclude [ a; b ]; Include [ a ] ]);
    ]

(* Nothing grows by what others say. *)
let garbage () =
  let random = Random.State.make [| Suite.seed () |] in
  let t = host ~addresses:both () in
  let s = open_ t in
  List.iter (fun f -> join t s f.group) families;
  for n = 1 to Suite.iterations 20_000 do
    let v4 = Random.State.bool random in
    let about =
      if Random.State.bool random then None else Some (if v4 then "239.1.2.3" else "ff05::1:3")
    in
    let m = query (1 + Random.State.int random (if v4 then 3 else 2)) ?about ~v4 in
    let b = if v4 then igmp m else mld m in
    let at = if v4 then 34 else 62 in
    for _ = 1 to Random.State.int random 4 do
      Bytes.set_uint8 b
        (at + Random.State.int random (Bytes.length b - at))
        (Random.State.int random 256)
    done;
    let now = n * Time.ms 10 in
    give ~now t b;
    Stack.tick t ~now;
    ignore (frames ~now t)
  done;
  (* A router of version 1 may have spoken last, so wait for it to be forgotten. *)
  let later = (Suite.iterations 20_000 * Time.ms 10) + Time.s 10_000 in
  ignore (until t ~now:later (later + 1));
  check_bool "still a member" true (Option.is_some (Stack.membership t s (address "239.1.2.3")))

let cases =
  [
    Suite.case "reports of changes" (each reported);
    Suite.case "queries" (each answered);
    Suite.case "routers of old versions" (each old_router);
    Suite.case "a router of version 1" first_version;
    Suite.case "groups of the addresses" of_addresses;
    Suite.case "what no router says" forged;
    Suite.case "bounds" bounds;
    Suite.case "reception" (each received);
    Suite.case "interfaces" by_interface;
    Suite.case "this host as a member" (each loops);
    Suite.case "filters of several members" merged;
    Suite.case "garbage" garbage;
  ]
