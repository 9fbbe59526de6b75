(* The recorded frames, and a frame taken apart and put together again. *)

open Weir_wire
module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

type frame = { name : string; bytes : Bytes.t }

let path file = Filename.concat (Suite.project_root ()) ("test/wire/captures/" ^ file)

(* Nanoseconds since 1970 need more bits than integers have in JavaScript. *)
let without_seconds b =
  let rec record off =
    if off + 16 <= Bytes.length b then (
      Bytes.set_int32_le b off 0l;
      record (off + 16 + Int32.to_int (Bytes.get_int32_le b (off + 8))))
  in
  let is_pcap = List.mem (Bytes.get_int32_le b 0) [ 0xa1b2c3d4l; 0xa1b23c4dl ] in
  if Suite.in_javascript && is_pcap then record 24;
  b

let load file =
  without_seconds
    (Bytes.unsafe_of_string (In_channel.with_open_bin (path file) In_channel.input_all))

let frames file =
  let whole = load file in
  let add frames (p : Pcap.packet) =
    let name = Printf.sprintf "%s frame %d" file (1 + List.length frames) in
    { name; bytes = Bytes.sub whole p.off p.captured } :: frames
  in
  match Pcap.fold add [] whole with
  | Ok frames -> List.rev frames
  | Error e -> Alcotest.failf "%s: %a" file Error.pp e

let files = [ "icmp.pcap"; "udp.pcap"; "tcp.pcap"; "tcp-plain.pcap"; "tcp-sack.pcap"; "dhcp.pcap" ]
let all = lazy (List.concat_map frames files)

(* A decoded frame; [Data] is what no decoder takes apart. *)
type transport = Tcp of Tcp.t | Udp of Udp.t | Icmp of Icmpv4.t | Data
type network = Arp of Arp.t | Ipv4 of Ipv4.t * transport | Unknown
type t = { ethernet : Ethernet.t; network : network }

let pseudo (ip : Ipv4.t) =
  Ip.pseudo_sum ~src:ip.src ~dst:ip.dst ~protocol:ip.protocol ~length:ip.data_length

let ( let* ) = Result.bind

let decode_transport (ip : Ipv4.t) b ~off =
  let len = ip.data_length and pseudo = pseudo ip in
  if Ipv4.is_fragment ip then Ok Data
  else if ip.protocol = Ipv4.protocol_tcp then
    Result.map (fun t -> Tcp t) (Tcp.decode ~pseudo b ~off ~len)
  else if ip.protocol = Ipv4.protocol_udp then
    Result.map (fun t -> Udp t) (Udp.decode ~pseudo b ~off ~len)
  else if ip.protocol = Ipv4.protocol_icmp then
    Result.map (fun t -> Icmp t) (Icmpv4.decode b ~off ~len)
  else Ok Data

let decode b ~off ~len =
  let* ethernet = Ethernet.decode b ~off ~len in
  let off = off + Ethernet.length and len = len - Ethernet.length in
  if ethernet.ethertype = Ethernet.ethertype_arp then
    let* arp = Arp.decode b ~off ~len in
    Ok { ethernet; network = Arp arp }
  else if ethernet.ethertype = Ethernet.ethertype_ipv4 then
    let* ip = Ipv4.decode b ~off ~len in
    let* transport = decode_transport ip b ~off:(off + ip.header_length) in
    Ok { ethernet; network = Ipv4 (ip, transport) }
  else Ok { ethernet; network = Unknown }

(* Puts [t]'s headers over those in [b], the data stay. Checksum fields are
   wiped first, so that a right one was written by [emit]. *)
let emit t b ~off =
  Ethernet.emit t.ethernet b ~off;
  let off = off + Ethernet.length in
  match t.network with
  | Unknown -> ()
  | Arp arp -> Arp.emit arp b ~off
  | Ipv4 (ip, transport) -> (
      Ipv4.emit ip b ~off;
      let off = off + Ipv4.length ip in
      match transport with
      | Data -> ()
      | Icmp icmp -> Icmpv4.emit icmp b ~off
      | Udp udp -> Udp.emit udp ~pseudo:(pseudo ip) b ~off
      | Tcp tcp ->
          let data = off + Tcp.length tcp in
          let data_sum = Checksum.sum b ~off:data ~len:tcp.data_length in
          Tcp.emit tcp ~pseudo:(pseudo ip) ~data_sum b ~off)

(* How many bytes of headers [emit] writes. *)
let headers t =
  Ethernet.length
  +
  match t.network with
  | Unknown -> 0
  | Arp _ -> Arp.length
  | Ipv4 (ip, transport) -> (
      Ipv4.length ip
      +
      match transport with
      | Data -> 0
      | Icmp _ -> Icmpv4.length
      | Udp _ -> Udp.length
      | Tcp tcp -> Tcp.length tcp)
