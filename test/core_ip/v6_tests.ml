(* IPv6 of a whole host: neighbour discovery, duplicate address detection, ICMPv6, fragments,
   sockets of both families. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test

let address = Ipaddr.of_string_exn
let v6 s = Ip.of_ipaddr (address s)
let lines = Alcotest.(check (list string))
let check_int = Alcotest.(check int)
let check_bool = Alcotest.(check bool)

let host ?(transmits = 0) ?(mtu = 1_500) ?(number = 1) ?(addresses = "") () =
  let addresses = if addresses = "" then Fmt.str "fd00::%d/64" number else addresses in
  Stack.create
    {
      mac = Net.mac number;
      addresses = List.map Ipaddr.Prefix.of_string_exn (String.split_on_char ',' addresses);
      gateways = [];
      mtu;
      secret = Stable_address.secret_of_string (string_of_int number);
      config = { Config.default with dad_transmits = transmits };
    }
    ~random:(Random.State.make [| number |]) ~now:0

(* Without the packet that an error quotes. *)
let show b ~len =
  let line = Fmt.str "%t" (fun f -> Dump.pp_frame f b ~off:0 ~len) in
  match String.index_opt line (Char.chr 40) with
  | Some i when i > 0 -> String.sub line 0 (i - 1)
  | _ -> line

let pool = Frame.pool ~size:66_000 ()

(* What the host sends now. *)
let rec frames ?(now = 0) t =
  let f = Frame.alloc pool in
  if Stack.transmit t ~now f < 0 then []
  else
    let b = Bytes.sub f.data 0 f.len in
    b :: frames ~now t

let sent ?now t = List.map (fun b -> show b ~len:(Bytes.length b)) (frames ?now t)

let give ?(now = 0) t b =
  let f = Frame.alloc pool in
  Bytes.blit b 0 f.data 0 (Bytes.length b);
  Frame.set f ~off:0 ~len:(Bytes.length b);
  Stack.input t ~now ~interface:0 f;
  Frame.release f

(* Until both are quiet; what went over the link. *)
let rec settle ?now a b =
  let one = frames ?now a in
  List.iter (give ?now b) one;
  let other = frames ?now b in
  List.iter (give ?now a) other;
  let here = List.map (fun b -> show b ~len:(Bytes.length b)) (one @ other) in
  if here = [] then [] else here @ settle ?now a b

(* -- packets made by hand -------------------------------------------------- *)

let mac_of dst = if Ip.is_multicast dst then Ip.group_mac dst else Net.mac 1

(* [fill b off pseudo] writes a payload of [length] bytes; [chain] are extension headers. *)
let packet ?(hop_limit = 255) ?(chain = "") ?next ~src ~dst ~protocol ~length fill =
  let n = String.length chain in
  let b = Bytes.make (14 + 40 + n + length) '\000' in
  Ethernet.write b ~off:0 ~dst:(mac_of dst) ~src:(Net.mac 2) Ethernet.ethertype_ipv6;
  Ipv6.write b ~off:14 ~src ~dst
    ~protocol:(Option.value next ~default:protocol)
    ~hop_limit ~data_length:(n + length);
  Bytes.blit_string chain 0 b 54 n;
  fill b (54 + n) (Ip.pseudo_sum ~src ~dst ~protocol ~length);
  b

let nd ?hop_limit ?chain ?next ~src ~dst message =
  packet ?hop_limit ?chain ?next ~src ~dst ~protocol:58 ~length:(Nd.length message)
    (fun b off pseudo -> Nd.emit message ~pseudo b ~off)

let own = v6 "fd00::1"
let peer = v6 "fd00::2"
let group = Ip.solicited_node own

let solicit ?hop_limit ?chain ?next ?(src = peer) ?(dst = group) ?(mac = Some (Net.mac 2))
    ?(nonce = "") ?(target = own) () =
  nd ?hop_limit ?chain ?next ~src ~dst (Neighbour_solicitation { target; source_mac = mac; nonce })

let advertise ?hop_limit ?(src = peer) ?(dst = own) ?(mac = Some (Net.mac 2)) ?(target = peer)
    ?(solicited = true) () =
  nd ?hop_limit ~src ~dst
    (Neighbour_advertisement
       { target; target_mac = mac; router = false; solicited; override = true })

let counters = Stack.counters

(* -- neighbour discovery ---------------------------------------------------- *)

let answer = "fd00::1 > fd00::2 ICMPv6 fd00::1 is-at 02:00:00:00:00:01"

let solicitations () =
  let answers what want frame =
    let t = host () in
    give t frame;
    lines what want (sent t)
  in
  answers "to the group" [ answer ] (solicit ());
  answers "to the address" [ answer ] (solicit ~dst:own ());
  answers "from who tests the address"
    [ "fd00::1 > ff02::1 ICMPv6 fd00::1 is-at 02:00:00:00:00:01, unsolicited" ]
    (solicit ~src:Ip.any_v6 ~mac:None ());
  answers "without a MAC"
    [ "fd00::1 > ff02::1:ff00:2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ]
    (solicit ~mac:None ());
  answers "through a router" [] (solicit ~hop_limit:254 ());
  answers "for another" [] (solicit ~target:(v6 "fd00::1:1") ());
  answers "from no one, with a MAC" [] (solicit ~src:Ip.any_v6 ());
  answers "from no one, to the address" [] (solicit ~src:Ip.any_v6 ~mac:None ~dst:own ());
  answers "in a fragment" [] (solicit ~next:44 ~chain:"\x3a\x00\x00\x00\x00\x00\x00\x07" ());
  let wrong = solicit () in
  Bytes.set_uint8 wrong 60 1;
  answers "with a wrong checksum" [] wrong

let known t = List.length (Neighbours.entries (Stack.interface t 0).neighbours)
let mac_known t = Neighbours.stored (Stack.interface t 0).neighbours peer

let advertisements () =
  let t = host () in
  give t (advertise ());
  give t (advertise ~solicited:false ~dst:Ip.all_nodes ());
  check_int "nobody asked" 0 (known t);
  ignore (Stack.ping t ~now:0 (address "fd00::2") ~identifier:1 ~sequence:1 ~data_length:0);
  lines "asks" [ "fd00::1 > ff02::1:ff00:2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ] (sent t);
  give t (advertise ~mac:None ());
  check_int "an answer without a MAC" (-1) (mac_known t);
  give t (advertise ());
  check_int "the answer" (Net.mac 2 :> int) (mac_known t);
  lines "the packet leaves" [ "fd00::1 > fd00::2 ICMPv6 echo request id=1 seq=1 len 0" ] (sent t);
  give t (advertise ~mac:(Some (Net.mac 9)) ());
  give t (advertise ~mac:(Some (Net.mac 9)) ~solicited:false ~dst:Ip.all_nodes ());
  check_int "a forged one changes nothing" (Net.mac 2 :> int) (mac_known t);
  Stack.tick t ~now:(Time.s 1);
  lines "but the known MAC is asked"
    [ "fd00::1 > fd00::2 ICMPv6 who-has fd00::2 tell 02:00:00:00:00:01" ]
    (sent ~now:(Time.s 1) t);
  give ~now:(Time.s 1) t (advertise ~mac:None ());
  check_int "its answer may leave it out" (Net.mac 2 :> int) (mac_known t)

let floods () =
  let t = host () in
  for n = 1 to 5_000 do
    let src = v6 (Fmt.str "fd00::%x:%x" (1 + (n / 0xffff)) (n land 0xffff)) in
    give t (solicit ~src ~mac:(Some (Net.mac n)) ());
    if n mod 500 = 0 then ignore (sent t)
  done;
  check_bool "the table is bounded" true (known t <= 512)

let cases_of_nd =
  [
    Suite.case "solicitations" solicitations;
    Suite.case "advertisements" advertisements;
    Suite.case "a flood of solicitations" floods;
  ]

(* -- duplicate address detection -------------------------------------------- *)

let probed () = host ~transmits:1 ()
let uses t = Stack.is_local t (address "fd00::1")

let start t =
  Stack.tick t ~now:0;
  frames t

let no_one_has_it () =
  let t = probed () in
  check_bool "not yet" false (uses t);
  check_bool "settling" true (Stack.is_settling t);
  check_int "a question for each address" 2 (List.length (start t));
  give t (solicit ());
  lines "who asks gets no answer" [] (sent t);
  Stack.tick t ~now:(Time.s 1);
  check_bool "used" true (uses t);
  check_bool "settled" false (Stack.is_settling t);
  give ~now:(Time.s 1) t (solicit ());
  lines "and an answer now" [ answer ] (sent ~now:(Time.s 1) t);
  check_int "nothing more" Time.never (Stack.deadline (host ()))

let somebody_has_it () =
  let lost what frame =
    let t = probed () in
    ignore (start t);
    give t frame;
    Stack.tick t ~now:(Time.s 5);
    check_bool what false (uses t);
    lines what [ "fd00::1" ] (List.map Ipaddr.to_string (Stack.duplicates t));
    check_int what 1 (counters t).dad_conflicts
  in
  lost "an answer" (advertise ~src:own ~target:own ~dst:Ip.all_nodes ~solicited:false ());
  lost "another who tests it" (solicit ~src:Ip.any_v6 ~mac:None ~nonce:"abcdef" ())

let own_question_comes_back () =
  let t = probed () in
  List.iter (give t) (start t);
  Stack.tick t ~now:(Time.s 1);
  check_bool "used" true (uses t)

(* The link-local address is the host's own choice: it takes another. *)
let link_local t =
  let is_link_local (a : Interface.address) = Ip.is_link_local a.ip in
  match List.filter is_link_local (Array.to_list (Stack.interface t 0).addresses) with
  | [ a ] -> a.ip
  | _ -> Alcotest.fail "one link-local address"

let another_is_made () =
  let t = probed () in
  let seen = ref [] in
  for n = 0 to 3 do
    let now = Time.ms n in
    Stack.tick t ~now;
    ignore (frames ~now t);
    let ip = link_local t in
    check_bool "a new one" false (List.exists (Ip.equal ip) !seen);
    seen := ip :: !seen;
    if n < 3 then give ~now t (advertise ~src:ip ~target:ip ~dst:Ip.all_nodes ~solicited:false ())
  done;
  Stack.tick t ~now:(Time.s 2);
  check_bool "the last is used" true (Stack.is_local t (Ip.to_ipaddr (link_local t)));
  check_int "three were not" 3 (counters t).dad_conflicts

let cases_of_dad =
  [
    Suite.case "nobody has it" no_one_has_it;
    Suite.case "somebody has it" somebody_has_it;
    Suite.case "the question comes back" own_question_comes_back;
    Suite.case "another is made" another_is_made;
  ]

(* -- ICMPv6 ------------------------------------------------------------------ *)

let raw ?chain ?next ?(dst = own) ?(src = peer) ~protocol payload =
  packet ?chain ?next ~hop_limit:64 ~src ~dst ~protocol ~length:(String.length payload)
    (fun b off _ -> Bytes.blit_string payload 0 b off (String.length payload))

let echo ?(dst = own) ?(data = 8) () =
  packet ~hop_limit:64 ~src:peer ~dst ~protocol:58 ~length:(8 + data) (fun b off pseudo ->
      Icmpv6.emit (Echo_request { identifier = 7; sequence = 3; data_length = data }) ~pseudo b ~off)

let datagram ?(sum = true) ?(src = peer) ?(dst = own) ?(port = 9) () =
  packet ~hop_limit:64 ~src ~dst ~protocol:17 ~length:12 (fun b off pseudo ->
      Udp.emit
        { src_port = 1_000; dst_port = port; data_length = 4; checksummed = sum }
        ~pseudo b ~off)

(* A host that knows the peer, so that its answers leave at once. *)
let acquainted () =
  let t = host () in
  give t (solicit ());
  ignore (sent t);
  t

let answers () =
  let gets what want frame =
    let t = acquainted () in
    give t frame;
    lines what want (sent t)
  in
  gets "an echo" [ "fd00::1 > fd00::2 ICMPv6 echo reply id=7 seq=3 len 8" ] (echo ());
  gets "an echo to all nodes"
    [ "fd00::1 > fd00::2 ICMPv6 echo reply id=7 seq=3 len 8" ]
    (echo ~dst:Ip.all_nodes ());
  gets "no echo to a group of others" [] (echo ~dst:(v6 "ff02::2") ());
  gets "no port" [ "fd00::1 > fd00::2 ICMPv6 unreachable: port len 52" ] (datagram ());
  gets "no port, to a group" [] (datagram ~dst:Ip.all_nodes ());
  gets "from no one" [] (datagram ~src:Ip.any_v6 ~dst:Ip.all_nodes ());
  gets "from a mapped address" [] (datagram ~src:(v6 "::ffff:10.0.0.2") ());
  gets "from the loopback address" [] (datagram ~src:Ip.loopback_v6 ());
  gets "without a checksum" [] (datagram ~sum:false ());
  gets "an unknown protocol"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 1 at byte 6 len 44" ]
    (raw ~protocol:200 "abcd");
  gets "no next header" [] (raw ~protocol:59 "");
  gets "an option that must be known"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 2 at byte 42 len 48" ]
    (raw ~next:60 ~chain:"\x3b\x00\x80\x04\x00\x00\x00\x00" ~protocol:59 "");
  gets "such an option, to a group"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 2 at byte 42 len 48" ]
    (raw ~dst:Ip.all_nodes ~next:60 ~chain:"\x3b\x00\x80\x04\x00\x00\x00\x00" ~protocol:59 "");
  gets "one that is told of to hosts only" []
    (raw ~dst:Ip.all_nodes ~next:60 ~chain:"\x3b\x00\xc0\x04\x00\x00\x00\x00" ~protocol:59 "");
  gets "a routing header with segments left"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 0 at byte 42 len 48" ]
    (raw ~next:43 ~chain:"\x3b\x00\x00\x01\x00\x00\x00\x00" ~protocol:59 "");
  gets "an error gets none" [] (raw ~protocol:58 "\x01\x04\x00\x00\x00\x00\x00\x00")

(* At most a burst of errors, then as many as the rate allows; and never longer than 1,280 bytes. *)
let limits () =
  let t = acquainted () in
  for _ = 1 to 500 do
    give t (datagram ())
  done;
  check_bool "few" true (List.length (frames t) <= 60);
  let t = acquainted () in
  give t (raw ~protocol:200 (String.make 1_400 'x'));
  match frames t with
  | [ b ] -> check_int "its length" (14 + 1_280) (Bytes.length b)
  | _ -> Alcotest.fail "one error"

let udp t ~at ~port = Result.get_ok (Stack.bind_udp t ~address:(address at) ~port ~reuse:false)

let send t s ~dst ~port text =
  Stack.send_udp t ~now:0 s ~dst:(address dst) ~dst_port:port (Bytes.of_string text) ~off:0
    ~len:(String.length text)

let receive s =
  let b = Bytes.create 70_000 in
  match Udp_sockets.receive s b ~off:0 ~len:70_000 with
  | -1 -> "nothing"
  | n ->
      let text = if n > 20 then Fmt.str "%d bytes" n else Bytes.sub_string b 0 n in
      Fmt.str "%s from %a" text Ip.pp (Udp_sockets.last_src s)

let errors_are_told () =
  let a = host () and b = host ~number:2 () in
  let s = udp a ~at:"fd00::1" ~port:1_000 in
  Udp_sockets.connect s ~local:own ~remote:peer ~remote_port:9;
  Result.get_ok (send a s ~dst:"fd00::2" ~port:9 "hello");
  ignore (settle a b);
  check_bool "told" true
    (match Udp_sockets.take_error s with
    | Some (V6 (Destination_unreachable { code = Port; _ })) -> true
    | _ -> false);
  let c = Result.get_ok (Stack.connect a ~now:0 (address "fd00::77") ~port:80) in
  List.iter
    (fun s ->
      Stack.tick a ~now:(Time.s s);
      ignore (frames ~now:(Time.s s) a))
    [ 0; 1; 2; 3 ];
  check_bool "nobody there" true
    (match Tcp.error c with
    | Some (Unreachable (V6 (Destination_unreachable { code = Address; _ }))) -> true
    | _ -> false)

let cases_of_icmp =
  [
    Suite.case "answers" answers;
    Suite.case "limits" limits;
    Suite.case "errors are told" errors_are_told;
  ]

(* -- fragments --------------------------------------------------------------- *)

let fragments () =
  let a = host ~mtu:1_280 () and b = host ~number:2 () in
  let s = udp a ~at:"::" ~port:1_000 and r = udp b ~at:"fd00::2" ~port:9 in
  List.iter
    (fun n ->
      Result.get_ok (send a s ~dst:"fd00::2" ~port:9 (String.make n 'x'));
      ignore (settle a b);
      Alcotest.(check string) (Fmt.str "%d bytes" n) (Fmt.str "%d bytes from fd00::1" n) (receive r))
    [ 1_232; 1_233; 5_000; 65_507 ];
  Result.get_ok (send a s ~dst:"fd00::2" ~port:9 (String.make 5_000 'x'));
  let parts = frames a in
  check_int "parts" 5 (List.length parts);
  List.iter (fun p -> check_bool "fits" true (Bytes.length p <= 14 + 1_280)) parts;
  (* Backwards; and one of them twice. *)
  List.iter (give b) (List.rev parts @ [ List.hd parts ]);
  Alcotest.(check string) "backwards" "5000 bytes from fd00::1" (receive r);
  (* A part with other bytes loses the datagram (RFC 5722). *)
  Result.get_ok (send a s ~dst:"fd00::2" ~port:9 (String.make 5_000 'x'));
  let parts = frames a in
  let forged = Bytes.copy (List.nth parts 1) in
  Bytes.set forged 100 'y';
  List.iter (give b) (forged :: parts);
  Alcotest.(check string) "an overlap" "nothing" (receive r)

let part ~next ~offset ~more payload =
  let chain = Bytes.make 8 '\000' in
  Bytes.set_uint8 chain 0 next;
  Bytes.set_uint16_be chain 2 (offset lor Bool.to_int more);
  Bytes.set_int32_be chain 4 77l;
  raw ~next:44 ~chain:(Bytes.to_string chain) ~protocol:next payload

let payload_of frame ~at = Bytes.sub_string frame at (Bytes.length frame - at)

let rules () =
  let whole = payload_of (datagram ()) ~at:54 in
  let t = acquainted () in
  let s = udp t ~at:"::" ~port:9 in
  give t (part ~next:17 ~offset:0 ~more:false whole);
  Alcotest.(check string) "alone it is whole (RFC 6946)" "\000\000\000\000 from fd00::2" (receive s);
  give t (part ~next:17 ~offset:0 ~more:true (String.sub whole 0 8));
  (* The first part says what it is; later ones need not agree. *)
  give t (part ~next:99 ~offset:8 ~more:false (String.sub whole 8 4));
  Alcotest.(check string) "the first part counts" "\000\000\000\000 from fd00::2" (receive s);
  give t (part ~next:17 ~offset:0 ~more:true "12345678");
  lines "only a part has come" [] (sent t);
  Stack.tick t ~now:(Time.s 30);
  lines "its sender is told"
    [ "fd00::1 > fd00::2 ICMPv6 time exceeded: reassembly len 56" ]
    (sent ~now:(Time.s 30) t);
  let t = acquainted () in
  give t (part ~next:17 ~offset:0 ~more:true "1234567");
  lines "no multiple of 8"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 0 at byte 4 len 55" ]
    (sent t);
  let t = acquainted () in
  give t (part ~next:6 ~offset:0 ~more:true "12345678");
  lines "a first part without the header (RFC 7112)"
    [ "fd00::1 > fd00::2 ICMPv6 parameter problem: code 3 at byte 0 len 56" ]
    (sent t);
  let ns = payload_of (solicit ()) ~at:54 in
  let t = host () in
  let cut = 24 in
  let nd_part ~offset ~more text =
    let b = part ~next:58 ~offset ~more text in
    Bytes.set_uint8 b 21 255;
    b
  in
  give t (nd_part ~offset:0 ~more:true (String.sub ns 0 cut));
  give t (nd_part ~offset:cut ~more:false (String.sub ns cut (String.length ns - cut)));
  lines "neighbour discovery in parts (RFC 6980)" [] (sent t)

let cases_of_fragments = [ Suite.case "fragments" fragments; Suite.case "rules of fragments" rules ]

(* -- both families ------------------------------------------------------------ *)

let both number = Fmt.str "10.0.0.%d/24,fd00::%d/64" number number

let one_socket () =
  let a = host ~addresses:(both 1) () and b = host ~number:2 ~addresses:(both 2) () in
  let any = udp b ~at:"::" ~port:9 and s = udp a ~at:"::" ~port:1_000 in
  let hears what dst want =
    Result.get_ok (send a s ~dst ~port:9 "x");
    ignore (settle a b);
    Alcotest.(check string) what want (receive any)
  in
  hears "IPv4" "10.0.0.2" "x from 10.0.0.1";
  hears "IPv6" "fd00::2" "x from fd00::1";
  hears "IPv4 as IPv6" "::ffff:10.0.0.2" "x from 10.0.0.1";
  hears "the group of all nodes" "ff02::1" (Fmt.str "x from %a" Ip.pp (link_local a));
  let refused what want r = check_bool what true (r = Error want) in
  let bind at = Stack.bind_udp b ~address:(address at) ~port:9 ~reuse:false in
  let is_in_use what at =
    check_bool what true (match bind at with Error `In_use -> true | _ -> false)
  in
  is_in_use "0.0.0.0" "0.0.0.0";
  is_in_use "an address" "fd00::2";
  is_in_use "again" "::";
  let v4 = udp a ~at:"0.0.0.0" ~port:1_001 in
  refused "IPv6 from 0.0.0.0" `Bad_address (send a v4 ~dst:"fd00::2" ~port:9 "x");
  let own = udp a ~at:"fd00::1" ~port:1_002 in
  refused "IPv4 from an IPv6 address" `No_route (send a own ~dst:"10.0.0.2" ~port:9 "x");
  refused "no route" `No_route (send a s ~dst:"2001:db8::1" ~port:9 "x")

let connects () =
  let a = host ~addresses:(both 1) () and b = host ~number:2 ~addresses:(both 2) () in
  let listen at = Tcp.listen (Stack.tcp b) ~address:(v6 at) ~port:80 ~backlog:8 ~reuse:false in
  let l = Result.get_ok (listen "::") in
  let opens what ?local dst want =
    let c =
      Result.get_ok
        (Stack.connect a ~now:0 ?local:(Option.map address local) (address dst) ~port:80)
    in
    ignore (settle a b);
    (match Tcp.accept l with
    | Some s -> Alcotest.(check string) what want (Fmt.str "%a" Ip.pp (Tcp.remote s))
    | None -> Alcotest.failf "%s: nobody came" what);
    check_bool what true (Tcp.state c = Established);
    Tcp.mss c
  in
  (* 12 bytes of each segment are timestamps. *)
  check_int "its MSS" 1_448 (opens "IPv4" "10.0.0.2" "10.0.0.1");
  check_int "its MSS" 1_428 (opens "IPv6" "fd00::2" "fd00::1");
  ignore
    (opens "from a link-local address"
       ~local:(Fmt.str "%a" Ip.pp (link_local a))
       (Fmt.str "%a" Ip.pp (link_local b))
       (Fmt.str "%a" Ip.pp (link_local a)));
  check_bool "the port is in use" true (Result.is_error (listen "10.0.0.2"));
  let fails what ?local dst want =
    match Stack.connect a ~now:0 ?local:(Option.map address local) (address dst) ~port:80 with
    | Ok _ -> Alcotest.failf "%s: connects" what
    | Error e -> check_bool what true (e = want)
  in
  fails "both families" ~local:"10.0.0.1" "fd00::2" `No_route;
  fails "no route" "2001:db8::1" `No_route;
  fails "a group" "ff02::1" `Bad_address

(* The host itself, without the link. *)
let to_itself () =
  let t = host ~addresses:(both 1) () in
  let l =
    Result.get_ok (Tcp.listen (Stack.tcp t) ~address:Ip.any_v6 ~port:80 ~backlog:8 ~reuse:false)
  in
  List.iter
    (fun (dst, from) ->
      ignore (Result.get_ok (Stack.connect t ~now:0 (address dst) ~port:80));
      lines dst [] (sent t);
      match Tcp.accept l with
      | Some s -> Alcotest.(check string) dst from (Fmt.str "%a" Ip.pp (Tcp.remote s))
      | None -> Alcotest.failf "%s: nobody came" dst)
    [ ("::1", "::1"); ("fd00::1", "fd00::1"); ("::", "::1"); ("127.0.0.1", "127.0.0.1") ]

let cases_of_both =
  [
    Suite.case "datagrams of both families" one_socket;
    Suite.case "connections of both families" connects;
    Suite.case "to itself" to_itself;
  ]

(* -- addresses ----------------------------------------------------------------- *)

let sources () =
  let t = host ~addresses:"fd00::1/64,2001:db8::1/64,10.0.0.1/24" () in
  Result.get_ok
    (Stack.add_route t (Ipaddr.Prefix.of_string_exn "::/0") ~gateway:(address "2001:db8::fe"));
  let from what dst want =
    Alcotest.(check string) what want (Ipaddr.to_string (Stack.source_for t (address dst)))
  in
  from "the same network" "fd00::9" "fd00::1";
  from "elsewhere" "2001:db8:1::9" "2001:db8::1";
  from "elsewhere, far" "2a00::9" "2001:db8::1";
  from "unique local" "fd00:0:0:9::9" "fd00::1";
  from "link-local" "fe80::9" (Fmt.str "%a" Ip.pp (link_local t));
  from "all nodes" "ff02::1" (Fmt.str "%a" Ip.pp (link_local t));
  from "itself" "::1" "::1";
  let i = Stack.interface t 0 in
  Stack.add_address t i ~state:Deprecated (Ipaddr.Prefix.of_string_exn "2001:db8::1/64");
  Stack.add_address t i (Ipaddr.Prefix.of_string_exn "2001:db8:0:2::1/64");
  from "a deprecated one" "2a00::9" "2001:db8:0:2::1"

let stable () =
  let make ?(secret = "a") ?(interface = 0) ?(counter = 0) prefix =
    Fmt.str "%a" Ip.pp
      (Stable_address.make
         ~secret:(Stable_address.secret_of_string secret)
         ~prefix:(v6 prefix) ~interface ~counter)
  in
  let first = make "fd00::" in
  Alcotest.(check string) "always the same" first (make "fd00::77");
  check_bool "in the network" true (Ip.shares_prefix (v6 first) (v6 "fd00::") ~bits:64);
  let others =
    [
      make "fd00:0:0:1::";
      make ~secret:"b" "fd00::";
      make ~interface:1 "fd00::";
      make ~counter:1 "fd00::";
    ]
  in
  let id a = String.sub (v6 a :> string) 8 8 in
  check_int "all different" 5 (List.length (List.sort_uniq compare (List.map id (first :: others))))

let narrow () =
  let t =
    Stack.create
      {
        mac = Net.mac 1;
        addresses = [ Ipaddr.Prefix.of_string_exn "10.0.0.1/24" ];
        gateways = [];
        mtu = 1_279;
        secret = Stable_address.no_secret;
        config = Config.default;
      }
      ~random:(Net.random ()) ~now:0
  in
  check_int "no link-local address" 1 (Array.length (Stack.interface t 0).addresses);
  match Stack.add_address t (Stack.interface t 0) (Ipaddr.Prefix.of_string_exn "fd00::1/64") with
  | () -> Alcotest.fail "IPv6 on a link that is too narrow"
  | exception Invalid_argument _ -> ()

(* Every link has fe80::/64: the source tells which is meant. *)
let two_links () =
  let t = host () in
  let second = Stack.add_interface t ~mac:(Net.mac 5) ~mtu:1_500 in
  let of_interface (i : Interface.t) =
    let a =
      List.find (fun (a : Interface.address) -> Ip.is_link_local a.ip) (Array.to_list i.addresses)
    in
    a.ip
  in
  let leaves_by i =
    let local = Ip.to_ipaddr (of_interface i) in
    ignore (Result.get_ok (Stack.connect t ~now:0 ~local (address "fe80::9") ~port:80));
    let f = Frame.alloc pool in
    let by = Stack.transmit t ~now:0 f in
    Frame.release f;
    ignore (frames t);
    by
  in
  check_int "the first" 0 (leaves_by (Stack.interface t 0));
  check_int "the second" 1 (leaves_by second)

let cases_of_addresses =
  [
    Suite.case "sources" sources;
    Suite.case "stable addresses" stable;
    Suite.case "a narrow link" narrow;
    Suite.case "two links" two_links;
  ]
