(* ICMPv6 of a whole host. *)

open Weir_base
open Weir_wire
open Weir_core
open Weir_test
open V6_net

let echo ?(dst = own) ?(data = 8) () =
  packet ~hop_limit:64 ~src:peer ~dst ~protocol:58 ~length:(8 + data) (fun b off pseudo ->
      Icmpv6.emit (Echo_request { identifier = 7; sequence = 3; data_length = data }) ~pseudo b ~off)

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

let cases =
  [
    Suite.case "answers" answers;
    Suite.case "limits" limits;
    Suite.case "errors are told" errors_are_told;
  ]
