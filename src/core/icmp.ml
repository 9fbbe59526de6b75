open Weir_base
open Weir_wire

(* The first word changes from 0x0800 to 0, so its complement is added to the sum. A field of
   0xffff is correct wherever 0 is, and also if all other words are 0. *)
let echo_reply b ~off ~len =
  if len < Icmpv4.length then invalid_arg "Icmp.echo_reply";
  let sum = lnot (Bytes.get_uint16_be b (off + 2)) land 0xffff in
  let field = Checksum.finish (Checksum.add sum 0xf7ff) in
  Bytes.set_uint16_be b off 0;
  Bytes.set_uint16_be b (off + 2) (if field = 0 then 0xffff else field)

let may_answer routes p =
  let src = Packet.source p in
  Routes.is_local routes (Packet.destination p)
  && (Routes.is_source routes src || Routes.is_local routes src)

(* Only for types known not to be errors: an unknown type may be an error. *)
let is_icmp_error (p : Packet.t) =
  p.protocol = Ipv4.protocol_icmp
  && (p.payload_length < 1
     ||
     let kind = Bytes.get_uint8 p.data p.payload_at in
     kind <> 0 && kind <> 8)

let is_request (p : Packet.t) = p.payload_length < 1 || Bytes.get_uint8 p.data p.payload_at = 8

let may_report routes ~link_group (p : Packet.t) =
  (not link_group) && p.fragment_offset = 0 && may_answer routes p && not (is_icmp_error p)

let may_report_transit routes (p : Packet.t) =
  p.fragment_offset = 0 && Routes.is_source routes (Packet.source p) && not (is_icmp_error p)

type error = Unreachable of Icmpv4.unreachable | Reassembly_timed_out | Ttl_exceeded

let longest_error = 576 - Ipv4.shortest

let emit_error e ~quote ~off ~len b ~at =
  let data_length = Int.min len (longest_error - Icmpv4.length) in
  Bytes.blit quote off b (at + Icmpv4.length) data_length;
  let message =
    match e with
    | Unreachable code -> Icmpv4.Destination_unreachable { code; rest = 0; data_length }
    | Reassembly_timed_out -> Icmpv4.Time_exceeded { reassembly = true; rest = 0; data_length }
    | Ttl_exceeded -> Icmpv4.Time_exceeded { reassembly = false; rest = 0; data_length }
  in
  Icmpv4.emit message b ~off:at;
  Icmpv4.length + data_length

let is_hard (error : Icmpv4.t) =
  match error with
  | Destination_unreachable { code = Net | Host | Other_code (5 | 11 | 12); _ } -> false
  | Destination_unreachable _ -> true
  | _ -> false

let quoted b ~off ~len =
  match Ipv4.decode_quoted b ~off ~len with
  | Error _ -> None
  | Ok h ->
      let there = Int.min (len - h.header_length) h.data_length in
      if h.fragment_offset <> 0 || there < 8 then None else Some (h, off + h.header_length)
