(* Fragments of IPv6, both ways. *)

open Weir_base
open Weir_core
open Weir_test
open V6_net

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

let cases = [ Suite.case "fragments" fragments; Suite.case "rules of fragments" rules ]
