(* A router of IPv6 between two links: what it forwards, what it tells, what it drops, and what it
   advertises. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open V6_net
module Tcp = Weir_wire.Tcp

let near = v6 "fd00:1::9"
let far = v6 "fd00:2::9"

(* fd00:1::1/64, and fd00:2::1/64 on a link with the least MTU; a host ::9 is known on each. *)
let router () =
  let t = host ~addresses:"fd00:1::1/64" () in
  let second = Stack.add_interface t ~mac:(Net.mac 3) ~mtu:1_280 in
  Stack.add_address t second (Ipaddr.Prefix.of_string_exn "fd00:2::1/64");
  Stack.set_forwarding t true;
  t

let give ?(now = 0) ?(interface = 0) ?(checksum = Frame.Unverified) ?(segment_size = 0) t b =
  let f = Frame.alloc pool in
  Bytes.blit b 0 f.data 0 (Bytes.length b);
  let dst = Ethernet.get_dst b ~off:0 in
  if not (Mac.is_group dst) then
    Ethernet.write f.data ~off:0 ~dst:(Stack.interface t interface).mac ~src:(Net.mac 9)
      Ethernet.ethertype_ipv6;
  Frame.set f ~off:0 ~len:(Bytes.length b);
  Frame.set_checksum f checksum;
  Frame.set_segment_size f segment_size;
  Stack.input t ~now ~interface f;
  Frame.release f

let rec sent ?(now = 0) t =
  let f = Frame.alloc pool in
  let i = Stack.transmit t ~now f in
  if i < 0 then []
  else
    let b = Bytes.sub f.data 0 f.len in
    if f.checksum = Partial then ignore (Transport.complete b ~off:0 ~len:f.len : bool);
    (i, b) :: sent ~now t

let outcome ?now ?interface ?checksum ?segment_size t b =
  give ?now ?interface ?checksum ?segment_size t b;
  sent ?now t

let shown = List.map (fun (i, b) -> Fmt.str "%d: %s" i (show b ~len:(Bytes.length b)))

let acquainted () =
  let t = router () in
  let known interface src target =
    give ~interface t (solicit ~src ~target:(v6 target) ~dst:(v6 target) ~mac:(Some (Net.mac 9)) ())
  in
  known 0 near "fd00:1::1";
  known 1 far "fd00:2::1";
  t

let udp ?(hop_limit = 64) ?chain ?next ?(src = near) ?(dst = far) ?(data = 4) () =
  packet ~hop_limit ?chain ?next ~src ~dst ~protocol:17 ~length:(8 + data) (fun b off pseudo ->
      Udp.emit
        { src_port = 1_000; dst_port = 9; data_length = data; checksummed = true }
        ~pseudo b ~off)

let options kind = Fmt.str "\017\000%c\004\000\000\000\000" (Char.chr kind)
let fragment = "\017\000\000\065\000\000\000\007"

let table =
  let routed = [ "1: [fd00:1::9]:1000 > [fd00:2::9]:9 UDP len 4" ] in
  let told what = [ "0: fd00:1::1 > fd00:1::9 ICMPv6 " ^ what ] in
  let exceeded = told "time exceeded: hop limit len 52" in
  [
    ("a datagram", udp (), routed);
    ("the last hop", udp ~hop_limit:2 (), routed);
    ("hop limit 1", udp ~hop_limit:1 (), exceeded);
    ("hop limit 0", udp ~hop_limit:0 (), exceeded);
    ("no route", udp ~dst:(v6 "fd00:3::9") (), told "unreachable: no route len 52");
    ("1,280 bytes", udp ~data:1_232 (), [ "1: [fd00:1::9]:1000 > [fd00:2::9]:9 UDP len 1232" ]);
    ("1,281 bytes", udp ~data:1_233 (), told "packet too big, mtu 1280 len 1232");
    ("to a link-local address", udp ~dst:(v6 "fe80::9") (), []);
    ("from one to one", udp ~src:(v6 "fe80::9") ~dst:(v6 "fe80::8") (), []);
    ("from one to a group", udp ~src:(v6 "fe80::9") ~dst:(v6 "ff0e::9") (), []);
    ("from one to nowhere", udp ~src:(v6 "fe80::9") ~dst:Ip.any_v6 (), []);
    ("from nowhere", udp ~src:Ip.any_v6 (), []);
    ("from a group", udp ~src:(v6 "ff02::1") (), []);
    ("from the router itself", udp ~src:(v6 "fd00:2::1") (), []);
    ("to a group", udp ~dst:(v6 "ff0e::9") (), []);
    ("to loopback", udp ~dst:(v6 "::1") (), []);
    ("to nowhere", udp ~dst:Ip.any_v6 (), []);
    ("to a mapped address", udp ~dst:(v6 "::ffff:10.0.0.1") (), []);
    (* The headers for the destination are not the router's (RFC 8200 §4). *)
    ( "an unknown destination option",
      udp ~next:60 ~chain:(options 0xc2) (),
      [ "1: IPv6 len 60 [malformed at byte 42: unknown option]" ] );
    ( "a routing header with segments left",
      udp ~next:43 ~chain:"\017\000\000\001\000\000\000\000" (),
      [ "1: IPv6 len 60 [malformed at byte 42: a routing header with segments left]" ] );
    ("a hop-by-hop option to be skipped", udp ~next:0 ~chain:(options 0x02) (), routed);
    ("one to be dropped", udp ~next:0 ~chain:(options 0x42) (), []);
    ( "one to be reported",
      udp ~next:0 ~chain:(options 0x82) (),
      told "parameter problem: code 2 at byte 42 len 60" );
    ( "a later fragment",
      udp ~next:44 ~chain:fragment ~data:8 (),
      [ "1: fd00:1::9 > fd00:2::9 UDP fragment 7@64+ len 16" ] );
    ("one with hop limit 1", udp ~hop_limit:1 ~next:44 ~chain:fragment ~data:8 (), []);
  ]

let forwards () =
  let t = acquainted () in
  ignore (sent t);
  List.iter (fun (what, b, want) -> lines what want (shown (outcome t b))) table;
  let b = udp () in
  let out = snd (List.hd (outcome t b)) in
  check_int "hop limit" 63 (Bytes.get_uint8 out 21);
  Bytes.set_uint8 out 21 64;
  check_bool "nothing else has changed" true (Bytes.equal (Bytes.sub b 14 52) (Bytes.sub out 14 52));
  Stack.set_forwarding t false;
  lines "a host does not" [] (shown (outcome t b))

(* The sender of a packet that may not leave its link is told, on that link. *)
let beyond_scope () =
  let t = router () in
  let own n =
    let addresses = Array.to_list (Stack.interface t n).addresses in
    (List.find (fun (a : Interface.address) -> Ip.is_link_local a.ip) addresses).ip
  in
  let src = v6 "fe80::9" in
  List.iter
    (fun interface ->
      let dst = if interface = 0 then far else near in
      give ~interface t
        (solicit ~src ~target:(own interface) ~dst:(own interface) ~mac:(Some (Net.mac 9)) ());
      ignore (sent t);
      lines "told"
        [
          Fmt.str "%d: %a > fe80::9 ICMPv6 unreachable: beyond scope len 52" interface Ip.pp
            (own interface);
        ]
        (shown (outcome ~interface t (udp ~src ~dst ()))))
    [ 0; 1 ]

(* Until something is sent. *)
let rec wait ?(n = 20) t =
  let now = Stack.deadline t in
  if n = 0 || now = Time.never then []
  else (
    Stack.tick t ~now;
    match sent ~now t with [] -> wait ~n:(n - 1) t | l -> l)

let next_host () =
  let t = acquainted () in
  ignore (sent t);
  let asks = "1: fd00:2::1 > ff02::1:ff00:77 ICMPv6 who-has fd00:2::77 tell 02:00:00:00:00:03" in
  lines "asked" [ asks ] (shown (outcome t (udp ~dst:(v6 "fd00:2::77") ())));
  lines "again" [ asks ] (shown (wait t));
  lines "and again" [ asks ] (shown (wait t));
  lines "it does not answer"
    [ "0: fd00:1::1 > fd00:1::9 ICMPv6 unreachable: address len 52" ]
    (shown (wait t))

let bounded () =
  let t = acquainted () in
  ignore (sent t);
  let b = udp () in
  for _ = 1 to 5_000 do
    give t b
  done;
  check_int "waiting" Control_queue.longest_forwarded (List.length (sent t));
  check_int "dropped" (5_000 - Control_queue.longest_forwarded) (counters t).ip_forward_dropped

(* A long frame of TCP is cut; what a device has verified gets a checksum again. *)
let offloaded () =
  let data = 3_000 in
  let h = { Tcp.base with src_port = 5; dst_port = 6; seq = 100; ack = 9; window = 10 } in
  let segment ~data ~damaged =
    packet ~hop_limit:9 ~src:near ~dst:far ~protocol:6
      ~length:(Tcp.length h + data)
      (fun b off pseudo ->
        Tcp.emit h ~pseudo ~data_sum:0 b ~off;
        if damaged then Bytes.set_uint16_be b (off + 16) 0xdead)
  in
  let right (_, b) =
    let length = Bytes.length b - 54 in
    let pseudo = Ip.pseudo_sum ~src:near ~dst:far ~protocol:6 ~length in
    Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off:54 ~len:length)) = 0
  in
  let t = acquainted () in
  ignore (sent t);
  let out = outcome t (segment ~data ~damaged:false) ~checksum:Verified ~segment_size:500 in
  check_int "segments" 6 (List.length out);
  check_bool "checksums" true (List.for_all right out);
  let out = outcome t (segment ~data:0 ~damaged:true) ~checksum:Verified in
  check_bool "verified, without a checksum" true (out <> [] && List.for_all right out)

(* Whatever comes, nothing that leaves is malformed before its payload, and nothing raises. *)
let garbage () =
  let random = Random.State.make [| 5 |] in
  let t = acquainted () in
  let chains = [| (17, ""); (0, options 2); (60, options 0xc2); (44, fragment) |] in
  for _ = 1 to Suite.iterations 20_000 do
    let next, chain = chains.(Random.State.int random 4) in
    let b = udp ~next ~chain ~data:(8 * Random.State.int random 170) () in
    for _ = 0 to Random.State.int random 3 do
      let at = 14 + Random.State.int random (Int.min 60 (Bytes.length b - 14)) in
      Bytes.set_uint8 b at (Random.State.int random 256)
    done;
    let checksum : Frame.checksum =
      match Random.State.int random 3 with 0 -> Verified | 1 -> Partial | _ -> Unverified
    in
    let segment_size =
      if Random.State.int random 4 = 0 then 1 + Random.State.int random 600 else 0
    in
    List.iter
      (fun (_, out) ->
        let p = Packet.create () in
        check_bool "a header" true (Ipv6.read_fixed p out ~off:14 ~len:(Bytes.length out - 14));
        check_bool "whole" true (p.payload_length + 54 = Bytes.length out))
      (outcome t b ~checksum ~segment_size)
  done

(* -- what it says of itself --------------------------------------------------- *)

let is_router b =
  match Nd.decode b ~off:54 ~len:(Bytes.length b - 54) with
  | Ok (Neighbour_advertisement { router; _ }) -> router
  | _ -> Alcotest.fail "no advertisement"

let flag () =
  let ask t = List.map (fun (_, b) -> is_router b) (sent (t ())) in
  let asked t mac =
    give t (solicit ~src:near ~target:(v6 "fd00:1::1") ~dst:(v6 "fd00:1::1") ~mac ());
    t
  in
  let flags = Alcotest.(check (list bool)) in
  flags "a router" [ true; true ] (ask acquainted);
  flags "to one that says no MAC" [ true ]
    (ask (fun () ->
         let t = acquainted () in
         ignore (sent t);
         asked t None));
  flags "a host" [ false ]
    (ask (fun () -> asked (host ~addresses:"fd00:1::1/64" ()) (Some (Net.mac 9))))

(* When a router advertises within [until] seconds, in tenths; [at] is told of each moment. *)
let times ?(until = 3_000) ?(step = Time.never) ?(at = ignore) t =
  let rec go seen now =
    if now > Time.s until then List.rev seen
    else (
      at now;
      Stack.tick t ~now;
      let out = List.filter (fun (_, b) -> Bytes.get_uint8 b 54 = 134) (sent ~now t) in
      let next = Int.min (Stack.deadline t) (if step = Time.never then step else now + step) in
      go (List.map (fun _ -> now / Time.ms 100) out @ seen) (Int.max next (now + Time.ms 1)))
  in
  go [] 0

let says : Nd.advertisement =
  {
    Autoconf_tests.quiet with
    lifetime = 1_800;
    mtu = 1_400;
    prefixes = [ Autoconf_tests.prefix (v6 "fd00:1::") ];
  }

let gaps l = List.map2 ( - ) (List.tl l) (List.filteri (fun i _ -> i < List.length l - 1) l)

(* RFC 4861 §6.2.4, §6.2.6; tenths of seconds. *)
let advertises () =
  let advertising message =
    let t = router () in
    Stack.advertise t ~now:0 (Stack.interface t 0) message;
    t
  in
  let all = times (advertising (Some says)) in
  check_int "the first" 0 (List.hd all);
  let soon, later = List.partition (fun g -> g < 200) (gaps all) in
  check_bool "two more soon" true (List.length soon = 2 && List.for_all (fun g -> g <= 161) soon);
  check_bool "then each 200 to 600 s" true
    (later <> [] && List.for_all (fun g -> g >= 2_000 && g <= 6_001) later);
  let t = advertising (Some says) in
  let solicitation src mac =
    nd ~src:(v6 src) ~dst:Ip.all_routers (Nd.Router_solicitation { source_mac = mac })
  in
  let flood now =
    if now > Time.s 100 && now < Time.s 160 then
      give ~now t (solicitation "fe80::9" (Some (Net.mac 9)))
  in
  let asked = List.filter (fun n -> n > 1_000) (times ~until:200 ~step:(Time.ms 50) ~at:flood t) in
  check_bool "answered soon" true (List.hd asked <= 1_007);
  check_bool "at most each 3 s" true (List.for_all (fun g -> g >= 30) (gaps asked));
  check_bool "until the flood ends" true (List.length asked > 15 && List.length asked <= 21);
  (* A question from nobody says no MAC (§6.1.1). *)
  let t = advertising (Some says) in
  let forged now = if now > Time.s 100 then give ~now t (solicitation "::" (Some (Net.mac 9))) in
  let answers ~at =
    List.length (List.filter (fun n -> n > 1_000) (times ~until:140 ~step:(Time.s 1) ~at t))
  in
  check_int "a malformed one" 0 (answers ~at:forged);
  let t = advertising (Some says) in
  let from_nobody now = if now > Time.s 100 then give ~now t (solicitation "::" None) in
  let l = times ~until:140 ~step:(Time.s 1) ~at:from_nobody t in
  check_bool "from nobody" true (List.exists (fun n -> n > 1_000) l);
  (* The end. *)
  Stack.advertise t ~now:(Time.s 141) (Stack.interface t 0) None;
  (match sent ~now:(Time.s 141) t with
  | [ (0, b) ] -> (
      match Nd.decode b ~off:54 ~len:(Bytes.length b - 54) with
      | Ok (Router_advertisement { lifetime = 0; router_mac = Some mac; mtu = 1_400; _ }) ->
          check_bool "its MAC" true (Mac.equal mac (Net.mac 1))
      | _ -> Alcotest.fail "another last word")
  | l -> Alcotest.failf "%d last words" (List.length l));
  check_bool "silent" true (Stack.deadline t > Time.s 100_000)

let cases =
  [
    Suite.case "what it forwards, drops and reports" forwards;
    Suite.case "a next host that does not answer" next_host;
    Suite.case "a packet that may not leave its link" beyond_scope;
    Suite.case "a bounded queue" bounded;
    Suite.case "frames with offloads" offloaded;
    Suite.case "garbage" garbage;
    Suite.case "the router flag" flag;
    Suite.case "when it advertises" advertises;
  ]
