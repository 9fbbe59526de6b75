(* Hosts that routers configure, by advertisements made by hand. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open V6_net

let router = v6 "fe80::1"
let other = v6 "fe80::2"
let net = v6 "2001:db8::"
let hour = 3_600

let prefix ?(on_link = true) ?(autonomous = true) ?(length = 64) ?preferred ?(valid = 4 * hour) net
    : Nd.prefix =
  let preferred = Option.value preferred ~default:valid in
  { prefix = net; length; on_link; autonomous; valid; preferred }

let quiet : Nd.advertisement =
  {
    hop_limit = 0;
    managed = false;
    other = false;
    preference = Medium;
    lifetime = 0;
    reachable = 0;
    retransmit = 0;
    router_mac = None;
    mtu = 0;
    prefixes = [];
    routes = [];
    servers = [];
    domains = [];
  }

let good = { quiet with lifetime = 1_800; prefixes = [ prefix net ] }

let frame ?hop_limit ?chain ?next ?(from = router) ?(dst = Ip.all_nodes) a =
  nd ?hop_limit ?chain ?next ~src:from ~dst (Nd.Router_advertisement a)

let hear ?(now = 0) ?from t a = give ~now:(Time.s now) t (frame ?from a)

let auto ?transmits ?mtu ?addresses () =
  let addresses = Option.value addresses ~default:"10.0.0.1/24" in
  let t = host ?transmits ?mtu ~addresses () in
  ignore (Stack.start_autoconf t ~now:0 (Stack.interface t 0) : Autoconf.t);
  t

let configuration t = Autoconf.configuration (Option.get (Stack.autoconf t))
let text l = List.map (Fmt.str "%a" Ip.pp) l

(* Those in [net], with their states. *)
let addresses ?(net = net) t =
  List.filter
    (fun (a : Interface.address) -> Ip.shares_prefix a.ip net ~bits:64)
    (Array.to_list (Stack.interface t 0).addresses)

let states ?net t =
  List.map
    (fun (a : Interface.address) ->
      match a.state with
      | Tentative -> "tentative"
      | Preferred -> "preferred"
      | Deprecated -> "deprecated")
    (addresses ?net t)

let tick t s = Stack.tick t ~now:(Time.s s)

let next_hop t dst =
  let r = Routes.find (Stack.routes t) (v6 dst) in
  if Routes.leads r then Fmt.str "%a" Ip.pp (Routes.next_hop r (v6 dst)) else "nowhere"

let check_hop t what dst want = Alcotest.(check string) what want (next_hop t dst)

(* -- what is taken ------------------------------------------------------------ *)

let all_of_it () =
  let t = auto ~transmits:1 () in
  hear t
    {
      good with
      mtu = 1_400;
      hop_limit = 70;
      routes = [ { network = v6 "fd05::"; bits = 48; preference = High; lifetime = 600 } ];
      servers = [ (600, [ v6 "fd00::53"; v6 "ff02::1" ]) ];
      domains = [ (600, [ "lab.example"; "example" ]) ];
    };
  lines "is tested first" [ "tentative" ] (states t);
  tick t 0;
  tick t 1;
  lines "then usable" [ "preferred" ] (states t);
  let c = configuration t in
  check_int "told" 1 (List.length c.addresses);
  lines "servers" [ "fd00::53" ] (text c.servers);
  lines "domains" [ "lab.example"; "example" ] c.domains;
  lines "routers" [ "fe80::1" ] (text c.routers);
  check_int "MTU" 1_400 (Stack.interface t 0).mtu;
  check_hop t "by default" "2a00::1" "fe80::1";
  check_hop t "a route" "fd05::1" "fe80::1";
  check_hop t "on the link" "2001:db8::77" "2001:db8::77";
  ignore (frames ~now:(Time.s 1) t);
  let own = List.hd c.addresses in
  give ~now:(Time.s 1) t
    (nd ~src:router ~dst:(Ip.solicited_node own)
       (Neighbour_solicitation { target = own; source_mac = Some (Net.mac 2); nonce = "" }));
  ignore (frames ~now:(Time.s 1) t);
  ignore (Stack.connect t ~now:(Time.s 1) (address "2a00::1") ~port:80);
  match frames ~now:(Time.s 1) t with
  | [ syn ] ->
      check_int "hop limit" 70 (Bytes.get_uint8 syn 21);
      check_bool "from the new address" true (Ip.is_at own syn 22 ~length:16)
  | l -> Alcotest.failf "%d frames" (List.length l)

let not_taken () =
  let nothing what f =
    let t = auto () in
    give t f;
    let c = configuration t in
    check_bool what true (c = { addresses = []; routers = []; servers = []; domains = [] });
    check_hop t what "2a00::1" "nowhere";
    check_hop t what "2001:db8::1" "nowhere"
  in
  nothing "through a router" (frame ~hop_limit:254 good);
  nothing "from a global address" (frame ~from:(v6 "fd00::9") good);
  nothing "from nobody" (frame ~from:Ip.any_v6 good);
  nothing "in a fragment" (frame ~next:44 ~chain:"\x3a\x00\x00\x00\x00\x00\x00\x07" good);
  let wrong = frame good in
  Bytes.set_uint8 wrong 60 1;
  nothing "with a wrong checksum" wrong;
  let only p = frame { quiet with prefixes = [ p ] } in
  nothing "link-local" (only (prefix Stable_address.link_local));
  nothing "a group" (only (prefix (v6 "ff02::")));
  nothing "everything" (only (prefix ~length:0 Ip.any_v6));
  nothing "already over" (only (prefix ~valid:0 net));
  nothing "preferred for longer than valid"
    (only (prefix ~on_link:false ~valid:10 ~preferred:11 net));
  nothing "of 80 bits" (only (prefix ~on_link:false ~length:80 net));
  let off = host () in
  give off (frame good);
  check_bool "not asked to" true (Stack.autoconf off = None && addresses off = []);
  let t = auto () in
  List.iter
    (fun (mtu, want) ->
      hear t { quiet with mtu; hop_limit = 1 };
      check_int "MTU" want (Stack.interface t 0).mtu)
    [ (1_279, 1_500); (9_000, 1_500); (1_280, 1_280); (0, 1_280); (1_500, 1_500) ]

(* -- lifetimes ----------------------------------------------------------------- *)

let lifetimes () =
  let t = auto () in
  hear t { good with prefixes = [ prefix ~preferred:100 ~valid:200 net ] };
  lines "at first" [ "preferred" ] (states t);
  tick t 100;
  lines "deprecated" [ "deprecated" ] (states t);
  hear t ~now:110 { good with prefixes = [ prefix ~preferred:100 ~valid:200 net ] };
  lines "again" [ "preferred" ] (states t);
  check_hop t "on the link" "2001:db8::77" "2001:db8::77";
  tick t 310;
  lines "removed" [] (states t);
  check_hop t "no longer on the link" "2001:db8::77" "fe80::1";
  check_bool "told" true ((configuration t).addresses = []);
  tick t 1_909;
  check_hop t "the router stays" "2a00::1" "fe80::1";
  tick t 1_910;
  check_hop t "the router has gone" "2a00::1" "nowhere";
  hear t ~now:2_000 { quiet with prefixes = [ prefix ~valid:0xffff_ffff net ] };
  tick t 1_000_000_000;
  lines "without an end" [ "preferred" ] (states t)

(* How long the address is valid after an advertisement at 1,000 s. *)
let two_hours () =
  let left ~before heard =
    let t = auto () in
    hear t { quiet with prefixes = [ prefix ~valid:(1_000 + before) net ] };
    hear t ~now:1_000 { quiet with prefixes = [ prefix ~preferred:0 ~valid:heard net ] };
    lines "deprecated at once" [ "deprecated" ] (states t);
    match addresses t with
    | [ a ] -> (a.valid_until / Time.s 1) - 1_000
    | l -> Alcotest.failf "%d addresses" (List.length l)
  in
  let two = 2 * hour in
  List.iter
    (fun (before, heard, want) ->
      check_int (Fmt.str "%d s, then %d s" before heard) want (left ~before heard))
    [
      (10 * hour, 0, two);
      (10 * hour, 1, two);
      (10 * hour, two, two);
      (10 * hour, two + 1, two + 1);
      (10 * hour, 20 * hour, 20 * hour);
      (two, 0, two);
      (hour, 0, hour);
      (hour, 10, hour);
      (hour, hour + 1, hour + 1);
      (hour, two, two);
    ]

let renumbering () =
  let t = auto () in
  let next = v6 "2001:db8:1::" in
  hear t good;
  hear t ~now:10 { good with prefixes = [ prefix ~preferred:0 ~valid:0 net; prefix next ] };
  lines "the old one" [ "deprecated" ] (states t);
  lines "the new one" [ "preferred" ] (states ~net:next t);
  let used = Ip.of_ipaddr (Stack.source_for t (address "2a00::1")) in
  check_bool "is used" true (Ip.shares_prefix used next ~bits:64);
  check_hop t "not on the link now" "2001:db8::77" "fe80::1";
  tick t (10 + (2 * hour));
  lines "after two hours" [] (states t)

(* A network that is not on the link: neighbours in it are reached through the router (RFC 5942). *)
let off_link () =
  let t = auto ~addresses:"10.0.0.1/24,2001:db8:2::5/64" () in
  hear t { good with prefixes = [ prefix ~on_link:false net; prefix (v6 "2001:db8:2::") ] };
  check_hop t "a neighbour" "2001:db8::77" "fe80::1";
  lines "beside a static address" [ "preferred"; "preferred" ] (states ~net:(v6 "2001:db8:2::") t);
  Stack.remove_address t (Stack.interface t 0) (address "10.0.0.1");
  hear t ~now:1 { good with prefixes = [ prefix ~autonomous:false (v6 "2001:db8:3::") ] };
  Stack.remove_address t (Stack.interface t 0) (address "2001:db8:2::5");
  check_hop t "a network outlives an address" "2001:db8:3::1" "2001:db8:3::1";
  lines "without an address" [] (states ~net:(v6 "2001:db8:3::") t)

let duplicate () =
  let t = auto ~transmits:1 () in
  hear t good;
  let claim () =
    let a = List.hd (addresses t) in
    give t (advertise ~src:a.ip ~dst:Ip.all_nodes ~target:a.ip ~solicited:false ());
    a.ip
  in
  let tried = List.init 4 (fun _ -> claim ()) in
  check_int "four different ones" 4 (List.length (List.sort_uniq compare tried));
  lines "then none" [] (states t);
  hear t ~now:1 good;
  lines "and no more" [] (states t)

(* -- routers ------------------------------------------------------------------- *)

let choice () =
  let t = auto () in
  let says ?from ?now ?(preference = Nd.Medium) lifetime =
    hear ?from ?now t { quiet with lifetime; preference }
  in
  let used what want = check_hop t what "2a00::1" want in
  says 1_800;
  says ~from:other 1_800;
  used "the first" "fe80::1";
  says ~from:other ~preference:High 1_800;
  used "the preferred" "fe80::2";
  says ~from:other ~preference:Low 1_800;
  used "the other" "fe80::1";
  says ~now:5 0;
  used "the last" "fe80::2";
  says ~from:other ~now:6 0;
  used "none" "nowhere";
  says ~now:7 100;
  says ~from:other ~now:7 1_800;
  tick t 106;
  used "not over" "fe80::1";
  tick t 107;
  used "over" "fe80::2";
  let route preference lifetime : Nd.route =
    { network = v6 "fd05::"; bits = 48; preference; lifetime }
  in
  says ~now:110 1_800;
  hear ~now:110 t { quiet with lifetime = 1_800; routes = [ route Low 60 ] };
  hear ~from:other ~now:110 t { quiet with lifetime = 1_800; routes = [ route High 30 ] };
  check_hop t "the better route" "fd05::1" "fe80::2";
  tick t 140;
  check_hop t "the worse" "fd05::1" "fe80::1";
  tick t 170;
  check_hop t "by default" "fd05::1" "fe80::2";
  let all lifetime : Nd.route = { network = Ip.any_v6; bits = 0; preference = High; lifetime } in
  hear ~now:180 t { quiet with lifetime = 0; routes = [ all 60 ] };
  used "a route to all" "fe80::1"

(* The first router does not answer: the other is used, for a minute. *)
let silent () =
  let t = auto () in
  hear t good;
  hear ~from:other t { good with preference = Low };
  let dst = address "2a00::1" in
  let rec until_failed s =
    if s > 20 then Alcotest.fail "the first router is still used"
    else (
      ignore (Stack.ping t ~now:(Time.s s) dst ~identifier:1 ~sequence:s ~data_length:0);
      ignore (frames ~now:(Time.s s) t);
      tick t (s + 1);
      ignore (frames ~now:(Time.s (s + 1)) t);
      if next_hop t "2a00::1" = "fe80::1" then until_failed (s + 1) else s + 1)
  in
  let failed = until_failed 0 in
  check_hop t "the other" "2a00::1" "fe80::2";
  tick t (failed + 60);
  check_hop t "again" "2a00::1" "fe80::1"

(* A router that answers that it is none is used no more; that anyone else may say so, or it itself
   unasked, does not count. *)
let no_router () =
  let t = auto () in
  let route : Nd.route = { network = v6 "fd05::"; bits = 48; preference = High; lifetime = 600 } in
  hear t { good with routes = [ route ] };
  hear ~from:other t { good with preference = Low };
  give t (solicit ~src:router ~target:(link_local t) ~dst:(link_local t) ());
  ignore (frames t);
  let says ?mac ?solicited ?router:(is_one = false) () =
    give t
      (advertise ~src:router ~target:router ~dst:(link_local t) ?mac ?solicited ~router:is_one ())
  in
  let still what = check_hop t what "2a00::1" "fe80::1" in
  says ~router:true ();
  still "it says that it is a router";
  says ~solicited:false ();
  still "unasked";
  says ~mac:(Some (Net.mac 9)) ();
  still "another MAC";
  says ();
  check_hop t "the other one" "2a00::1" "fe80::2";
  check_hop t "its other routes" "fd05::1" "fe80::2";
  lines "told" [ "fe80::2" ] (text (configuration t).routers);
  hear ~now:1 t good;
  still "it advertises again"

let static () =
  let t = auto ~addresses:"2001:db8:9::1/64" () in
  let all = Ipaddr.Prefix.of_string_exn "::/0" in
  Result.get_ok (Stack.add_route t all ~gateway:(address "2001:db8:9::fe"));
  hear t good;
  check_hop t "the program's route stays" "2a00::1" "2001:db8:9::fe";
  hear ~now:1 t { good with lifetime = 0 };
  check_hop t "still" "2a00::1" "2001:db8:9::fe"

let two_links () =
  let t = auto () in
  let second = Stack.add_interface t ~mac:(Net.mac 5) ~mtu:1_500 in
  ignore (Stack.start_autoconf t ~now:0 second : Autoconf.t);
  let f = Frame.alloc pool and b = frame good in
  Bytes.blit b 0 f.data 0 (Bytes.length b);
  Frame.set f ~off:0 ~len:(Bytes.length b);
  Stack.input t ~now:0 ~interface:1 f;
  Frame.release f;
  let r = Routes.find (Stack.routes t) (v6 "2a00::1") in
  check_int "leaves by the router's link" 1 r.interface

(* -- questions ------------------------------------------------------------------ *)

let questions t ~until =
  let rec go found =
    let due = Int.max 0 (Stack.deadline t) in
    if due > Time.s until then List.rev found
    else (
      Stack.tick t ~now:due;
      let asks =
        List.filter (fun b -> Bytes.length b > 54 && Bytes.get_uint8 b 54 = 133) (frames ~now:due t)
      in
      go (List.map (fun b -> (due, b)) asks @ found))
  in
  go []

let solicitations () =
  let t = auto ~transmits:1 () in
  let asked = questions t ~until:20_000 in
  let at = List.map fst asked in
  check_bool "within a second" true (List.hd at <= Time.s 1);
  let pauses = List.map2 ( - ) (List.tl at) (List.filteri (fun i _ -> i < List.length at - 1) at) in
  List.iteri
    (fun i pause ->
      let ideal = Float.min 3_600. (4. *. (2. ** float_of_int i)) in
      let ratio = Time.to_float_s pause /. ideal in
      (* The tenths add up while the pause doubles. *)
      if ratio < 0.5 || ratio > 1.8 then
        Alcotest.failf "pause %d is %.1f s" i (Time.to_float_s pause))
    pauses;
  check_bool "few" true (List.length at < 18);
  let first = snd (List.hd asked) and last = snd (List.nth asked (List.length asked - 1)) in
  Alcotest.(check string)
    "at first from nobody" ":: > ff02::2 ICMPv6 router solicitation"
    (show first ~len:(Bytes.length first));
  check_int "with a MAC later" 14 (Bytes.length last - Bytes.length first + 6);
  let answered = auto () in
  hear answered { quiet with prefixes = [ prefix net ] };
  check_bool "a router that is no default one" true (questions answered ~until:10 <> []);
  hear ~now:11 answered good;
  check_int "no more" 0 (List.length (questions answered ~until:1_000));
  (* Its lifetime was 1,800 s from 11 s on. *)
  (match questions answered ~until:1_830 with
  | (at, _) :: _ :: _ when at >= Time.s 1_811 && at < Time.s 1_812 -> ()
  | l -> Alcotest.failf "%d questions after the last router has gone" (List.length l));
  hear ~now:1_831 answered good;
  check_int "answered" 0 (List.length (questions answered ~until:1_900));
  hear ~now:1_901 answered { good with lifetime = 0 };
  check_bool "it leaves" true (questions answered ~until:1_903 <> [])

(* -- bounds ---------------------------------------------------------------------- *)

let nth i = v6 (Fmt.str "2001:db8:%x::" (i + 1))

let flood () =
  let t = auto ~transmits:1 () in
  hear t good;
  let before = Net.live t in
  for i = 0 to 20_000 do
    let from = v6 (Fmt.str "fe80::%x" (i + 2)) and net = nth (i land 0xffff) in
    hear ~from t
      {
        good with
        prefixes = [ prefix net; prefix ~length:48 net ];
        routes = [ { network = net; bits = 48; preference = High; lifetime = 600 } ];
        servers = [ (600, [ net ]) ];
        domains = [ (600, [ Fmt.str "d%d.example" i ]) ];
      };
    ignore (frames t)
  done;
  let c = configuration t in
  check_int "routers" Router_list.most_routers (List.length c.routers);
  check_int "servers" Autoconf.most_servers (List.length c.servers);
  check_int "domains" Autoconf.most_domains (List.length c.domains);
  let i = Stack.interface t 0 in
  check_bool "addresses" true (Array.length i.addresses <= Prefix_list.most + 2);
  let text = Fmt.str "%a" Routes.pp (Stack.routes t) in
  check_bool "routes" true (List.length (String.split_on_char '\n' text) <= 32);
  check_hop t "the first router" "2a00::1" "fe80::1";
  let grown = Net.live t - before in
  if grown > 20_000 then Alcotest.failf "grew by %d words" grown

(* Anything that decodes: nothing raises, and the deadline never passes unserved. *)
let anything () =
  let random = Random.State.make [| 11 |] in
  let t = auto ~addresses:"10.0.0.1/24,2001:db8::5/64" ~transmits:1 () in
  let now = ref 0 in
  let any l = List.nth l (Random.State.int random (List.length l)) in
  let seconds () = any [ 0; 1; 60; 7_200; 7_201; 0xffff_ffff; 0xffff_fffe ] in
  for _ = 1 to 20_000 do
    let net () =
      any [ net; nth 1; v6 "fd00::"; Ip.any_v6; Ip.loopback_v6; v6 "ff00::"; v6 "fe80::" ]
    in
    let length () = any [ 0; 1; 48; 64; 65; 127; 128 ] in
    let network () =
      let bits = length () in
      (Ip.network (net ()) ~prefix_length:bits, bits)
    in
    let prefix () : Nd.prefix =
      let prefix, length = network () in
      let flag () = Random.State.bool random in
      {
        prefix;
        length;
        on_link = flag ();
        autonomous = flag ();
        valid = seconds ();
        preferred = seconds ();
      }
    in
    let route () : Nd.route =
      let network, bits = network () in
      { network; bits; preference = any [ Nd.Low; Medium; High ]; lifetime = seconds () }
    in
    hear ~now:!now
      ~from:(v6 (any [ "fe80::1"; "fe80::2"; "fe80::3" ]))
      t
      {
        quiet with
        lifetime = any [ 0; 1; 65_535 ];
        hop_limit = Random.State.int random 256;
        mtu = any [ 0; 1; 1_280; 1_400; 0xffff_ffff ];
        prefixes = List.init (Random.State.int random 4) (fun _ -> prefix ());
        routes = List.init (Random.State.int random 4) (fun _ -> route ());
        servers = [ (seconds (), [ net () ]) ];
        domains = [ (seconds (), [ "a.example" ]) ];
      };
    now := !now + any [ 0; 1; 10; 1_000 ];
    tick t !now;
    ignore (frames ~now:(Time.s !now) t);
    if Stack.deadline t <= Time.s !now then Alcotest.fail "a deadline was not served"
  done;
  check_bool "its own address stays" true (Stack.is_local t (address "2001:db8::5"))

let cases =
  [
    Suite.case "all that a router says" all_of_it;
    Suite.case "what is not taken" not_taken;
    Suite.native "integers of 63 bits, for 30 years in ns" (Suite.case "lifetimes" lifetimes);
    Suite.case "two hours" two_hours;
    Suite.case "renumbering" renumbering;
    Suite.case "off the link" off_link;
    Suite.case "duplicates" duplicate;
    Suite.case "choice of routers" choice;
    Suite.case "a silent router" silent;
    Suite.case "a router that is none any more" no_router;
    Suite.case "a static route" static;
    Suite.case "two links" two_links;
    Suite.case "solicitations" solicitations;
    Suite.case "a flood" flood;
    Suite.case "anything" anything;
  ]
