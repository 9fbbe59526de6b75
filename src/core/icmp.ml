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

let may_answer_group routes p =
  Packet.is_to p Ip.all_nodes && Routes.is_source routes (Packet.source p)

(* Only for types known not to be errors: an unknown type may be an error. For IPv6 errors are the
   types below 128, and redirects. *)
let is_icmp_error (p : Packet.t) =
  let v4 = p.address_length = Ip.v4_length in
  (p.protocol = if v4 then Ipv4.protocol_icmp else Ipv6.protocol_icmp)
  && (p.payload_length < 1
     ||
     let kind = Bytes.get_uint8 p.data p.payload_at in
     if v4 then kind <> 0 && kind <> 8 else kind < 128 || kind = Nd.redirect)

let is_request (p : Packet.t) =
  p.payload_length < 1
  ||
  let kind = Bytes.get_uint8 p.data p.payload_at in
  if p.address_length = Ip.v4_length then kind = 8
  else kind = Icmpv6.echo_request || kind = Nd.neighbour_solicitation

let may_report ?(to_group = false) routes ~link_group (p : Packet.t) =
  p.fragment_offset = 0
  && (not (is_icmp_error p))
  &&
  if to_group then Routes.is_source routes (Packet.source p)
  else (not link_group) && may_answer routes p

let may_report_transit routes (p : Packet.t) =
  p.fragment_offset = 0 && Routes.is_source routes (Packet.source p) && not (is_icmp_error p)

type error =
  | Unreachable of Icmpv4.unreachable
  | Reassembly_timed_out
  | Ttl_exceeded
  | Beyond_scope
  | Refused of Ipv6.report
  | Chosen of Icmp_error.t

let longest_error = 576 - Ipv4.shortest

let emit_error e ~quote ~off ~len b ~at =
  let data_length = Int.min len (longest_error - Icmpv4.length) in
  Bytes.blit quote off b (at + Icmpv4.length) data_length;
  let message =
    match e with
    | Unreachable code -> Icmpv4.Destination_unreachable { code; rest = 0; data_length }
    | Reassembly_timed_out -> Icmpv4.Time_exceeded { reassembly = true; rest = 0; data_length }
    | Ttl_exceeded -> Icmpv4.Time_exceeded { reassembly = false; rest = 0; data_length }
    | Chosen (V4 m) -> Icmp_error.quoting_v4 m data_length
    | Beyond_scope | Refused _ | Chosen (V6 _) -> invalid_arg "Icmp.emit_error: of IPv6 only"
  in
  Icmpv4.emit message b ~off:at;
  Icmpv4.length + data_length

let longest_error_v6 = Ipv6.minimum_mtu - Ipv6.shortest

let emit_error_v6 e (about : Packet.t) ~src ~dst b ~at =
  let len = about.payload_at + about.payload_length - about.at in
  let data_length = Int.min len (longest_error_v6 - Icmpv6.length) in
  let length = Icmpv6.length + data_length in
  Bytes.blit about.data about.at b (at + Icmpv6.length) data_length;
  let message : Icmpv6.t =
    match e with
    | Unreachable Port -> Destination_unreachable { code = Port; data_length }
    | Unreachable Protocol ->
        Parameter_problem { code = 1; pointer = about.protocol_at - about.at; data_length }
    | Unreachable (Fragmentation_needed mtu) -> Packet_too_big { mtu; data_length }
    | Unreachable Net -> Destination_unreachable { code = No_route; data_length }
    | Unreachable _ -> Destination_unreachable { code = Address; data_length }
    | Reassembly_timed_out -> Time_exceeded { reassembly = true; data_length }
    | Ttl_exceeded -> Time_exceeded { reassembly = false; data_length }
    | Beyond_scope -> Destination_unreachable { code = Beyond_scope; data_length }
    | Refused { code; pointer; _ } -> Parameter_problem { code; pointer; data_length }
    | Chosen (V6 m) -> Icmp_error.quoting_v6 m data_length
    | Chosen (V4 _) -> invalid_arg "Icmp.emit_error_v6: of IPv4 only"
  in
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv6.protocol_icmp ~length in
  Icmpv6.emit message ~pseudo b ~off:at;
  length

let about ~source ~destination ~protocol payload =
  let header = Ip.header_length destination and data_length = String.length payload in
  let b = Bytes.create (header + data_length) in
  if Ip.is_v4 destination then
    Ipv4.write Ipv4.base b ~off:0 ~src:source ~dst:destination ~protocol ~data_length
      ~identification:0
  else
    Ipv6.write b ~off:0 ~src:source ~dst:destination ~protocol ~hop_limit:Ipv4.base.ttl ~data_length;
  Bytes.blit_string payload 0 b header data_length;
  let p = Packet.create () and len = Bytes.length b in
  let read =
    if Ip.is_v4 destination then Ipv4.read_quoted p b ~off:0 ~len
    else Ipv6.read_quoted p b ~off:0 ~len
  in
  if Result.is_error read then invalid_arg "Icmp.about";
  p

let quoted b ~off ~len =
  match Ipv4.decode_quoted b ~off ~len with
  | Error _ -> None
  | Ok h ->
      let there = Int.min (len - h.header_length) h.data_length in
      if h.fragment_offset <> 0 || there < 8 then None else Some (h, off + h.header_length)

let quoted_v6 b ~off ~len =
  match Ipv6.decode_quoted b ~off ~len with
  | Error _ -> None
  | Ok h ->
      let there = Int.min (len - h.header_length) h.data_length in
      let later = match h.fragment with Some f -> f.offset > 0 | None -> false in
      if later || there < 8 then None else Some (h, off + h.header_length)
