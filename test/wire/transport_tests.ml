(* Checksums left to a device, completed without one: as the right ones were. *)

open Weir_wire
open Weir_test

let src = Ip.of_int 0x0a000001
let dst = Ip.of_int 0x0a00000b

let ethernet b ethertype =
  Ethernet.emit { dst = Mac.of_int 1; src = Mac.of_int 2; ethertype } b ~off:0

(* A frame of [n] bytes of data, and where its checksum stands. *)
let ipv4 protocol n =
  let header = if protocol = Ipv4.protocol_tcp then 20 else Udp.length in
  let length = header + n in
  let b = Bytes.make (14 + 20 + length + 3) '\255' in
  Bytes.iteri (fun i _ -> Bytes.set_uint8 b i (i * 37 land 255)) b;
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol ~length in
  ethernet b Ethernet.ethertype_ipv4;
  Ipv4.emit { Ipv4.base with src; dst; protocol; data_length = length } b ~off:14;
  if protocol = Ipv4.protocol_tcp then
    let data_sum = Weir_base.Checksum.sum b ~off:54 ~len:n in
    Tcp.emit
      { Tcp.base with src_port = 1; dst_port = 2; data_length = n }
      ~pseudo ~data_sum b ~off:34
  else
    Udp.emit { src_port = 1; dst_port = 2; data_length = n; checksummed = true } ~pseudo b ~off:34;
  (b, pseudo, 34 + if protocol = Ipv4.protocol_tcp then 16 else 6)

let completes protocol () =
  for n = 0 to 100 do
    let b, pseudo, at = ipv4 protocol n in
    let right = Bytes.copy b in
    let len = Bytes.length b in
    Alcotest.(check bool) "complete" false (Transport.is_partial b ~off:0 ~len);
    Bytes.set_uint16_be b at pseudo;
    Alcotest.(check bool) "partial" true (Transport.is_partial b ~off:0 ~len);
    Alcotest.(check bool) "cut short" false (Transport.is_partial b ~off:0 ~len:(len - 4));
    Alcotest.(check bool) "completed" true (Transport.complete b ~off:0 ~len:(Bytes.length b));
    Alcotest.(check string) "as it was" (Bytes.to_string right) (Bytes.to_string b)
  done

let ipv6 () =
  let n = 33 in
  let b = Bytes.make (14 + 40 + 8 + n) 'x' in
  ethernet b Ethernet.ethertype_ipv6;
  Bytes.set_uint8 b 14 0x60;
  Bytes.set_uint16_be b 18 (8 + n);
  Bytes.set_uint8 b 20 17;
  Bytes.set_uint16_be b 58 (8 + n);
  let pseudo = Weir_base.Checksum.(add (sum b ~off:22 ~len:32) (add (8 + n) 17)) in
  Alcotest.(check bool) "complete" false (Transport.is_partial b ~off:0 ~len:(Bytes.length b));
  Bytes.set_uint16_be b 60 pseudo;
  Alcotest.(check bool) "partial" true (Transport.is_partial b ~off:0 ~len:(Bytes.length b));
  Alcotest.(check bool) "completed" true (Transport.complete b ~off:0 ~len:(Bytes.length b));
  let sum = Weir_base.Checksum.(add pseudo (sum b ~off:54 ~len:(8 + n))) in
  Alcotest.(check int) "right" 0 (Weir_base.Checksum.finish sum)

(* What has no such packet stays as it is. *)
let left_alone () =
  let same what b len =
    let before = Bytes.to_string b in
    Alcotest.(check bool) what false (Transport.is_partial b ~off:0 ~len);
    Alcotest.(check bool) what false (Transport.complete b ~off:0 ~len);
    Alcotest.(check string) (what ^ ": unchanged") before (Bytes.to_string b)
  in
  let b, _, _ = ipv4 Ipv4.protocol_tcp 20 in
  for len = 0 to 14 + 20 + 40 - 1 do
    same (Fmt.str "%d bytes" len) b len
  done;
  let b, _, _ = ipv4 Ipv4.protocol_icmp 20 in
  same "ICMP" b (Bytes.length b);
  let b, _, _ = ipv4 Ipv4.protocol_udp 20 in
  Ipv4.emit
    { Ipv4.base with src; dst; protocol = 17; data_length = 28; more_fragments = true }
    b ~off:14;
  same "a fragment" b (Bytes.length b);
  ethernet b Ethernet.ethertype_arp;
  same "ARP" b (Bytes.length b)

let cases =
  [
    Suite.case "TCP" (completes Ipv4.protocol_tcp);
    Suite.case "UDP" (completes Ipv4.protocol_udp);
    Suite.case "UDP over IPv6" ipv6;
    Suite.case "what is left alone" left_alone;
  ]
