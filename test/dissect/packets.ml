(* Packets made here, and those of captures. *)

open Weir_wire
open Weir_dissect
module Suite = Weir_test.Suite

let ip s = Ip.of_ipaddr (Ipaddr.of_string_exn s)
let mac n = Mac.of_int (0x0200_0000_0000 + n)

let frame ?(src = "10.0.0.1") ?(dst = "10.0.0.2") protocol payload =
  let data_length = Bytes.length payload in
  let header = { Ipv4.base with src = ip src; dst = ip dst; protocol; data_length } in
  let b = Bytes.create (34 + data_length) in
  Ethernet.emit { dst = mac 2; src = mac 1; ethertype = Ethernet.ethertype_ipv4 } b ~off:0;
  Ipv4.emit header b ~off:14;
  Bytes.blit payload 0 b 34 data_length;
  b

let tcp ?(src = "10.0.0.1") ?(dst = "10.0.0.2") ?(data = "") t =
  let t = { t with Tcp.data_length = String.length data } in
  let length = Tcp.length t in
  let b = Bytes.create (length + String.length data) in
  Bytes.blit_string data 0 b length (String.length data);
  let pseudo = Ip.pseudo_sum ~src:(ip src) ~dst:(ip dst) ~protocol:6 ~length:(Bytes.length b) in
  let data_sum = Weir_base.Checksum.sum b ~off:length ~len:(String.length data) in
  Tcp.emit t ~pseudo ~data_sum b ~off:0;
  frame ~src ~dst 6 b

(* Between the client's port 1000 and the server's port 80. *)
let from_client ?data t = tcp ?data { t with Tcp.src_port = 1000; dst_port = 80 }

let from_server ?data t =
  tcp ~src:"10.0.0.2" ~dst:"10.0.0.1" ?data { t with Tcp.src_port = 80; dst_port = 1000 }

let packet ?original b : Pcap.packet =
  let captured = Bytes.length b in
  let original = Option.value original ~default:captured in
  { time = 0; off = 0; captured; original; link_type = Pcap.ethernet }

let dissect ?(absolute = false) ?(number = 1) conversations b =
  Dissection.make conversations ~absolute ~number b (packet b)

let path file = Filename.concat (Suite.project_root ()) ("test/wire/captures/" ^ file)
let load file = In_channel.with_open_bin (path file) In_channel.input_all

let files =
  [
    "icmp.pcap"; "udp.pcap"; "tcp.pcap"; "tcp-plain.pcap"; "tcp-sack.pcap"; "ipv6.pcap"; "dhcp.pcap";
  ]

(* All that [f] wants to know of the packets of a capture. *)
let of_capture ?(absolute = false) f capture =
  let conversations = Conversations.create () in
  let b = Bytes.unsafe_of_string capture in
  let add found (p : Pcap.packet) =
    let number = List.length found + 1 in
    f (Dissection.make conversations ~absolute ~number b p) :: found
  in
  match Pcap.fold add [] b with
  | Ok found -> List.rev found
  | Error e -> Alcotest.failf "%a" Error.pp e
