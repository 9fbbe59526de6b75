open Weir_link
module Packet = Weir_wire.Packet

type key = bool * int * Ipaddr.t * int
type t = { way : Run_scope.way; udp : bool; local : Ipaddr.t * int; remote : Ipaddr.t * int }

let key t : key = (t.udp, snd t.local, fst t.remote, snd t.remote)
let tcp = 6
let udp = 17
let scratch = Packet.create ()

let fill (f : Frame.t) =
  let off = f.off + Link.header_length and len = f.len - Link.header_length in
  if len <= 0 then false
  else
    match Bytes.get_uint16_be f.data (f.off + 12) with
    | 0x0800 -> Result.is_ok (Weir_wire.Ipv4.read scratch f.data ~off ~len)
    | 0x86dd -> Result.is_ok (Weir_wire.Ipv6.read scratch f.data ~off ~len)
    | _ -> false

let icmp = 1
let icmpv6 = 58
let echo_reply = 129

(* Errors of ICMPv6 have types below those of echo. *)
let is_control f =
  let p = scratch in
  (not (fill f))
  ||
  if p.protocol = icmpv6 then
    p.payload_length < 1 || Bytes.get_uint8 p.data p.payload_at > echo_reply
  else p.protocol <> tcp && p.protocol <> udp && p.protocol <> icmp

let read (way : Run_scope.way) (f : Frame.t) =
  let p = scratch in
  if not (fill f && (p.protocol = tcp || p.protocol = udp)) then None
  else
    let port n =
      if p.fragment_offset > 0 || p.payload_length < 4 then 0
      else Bytes.get_uint16_be f.data (p.payload_at + n)
    in
    let place address at = (Weir_wire.Ip.to_ipaddr address, port at) in
    let source = place (Packet.source p) 0 and destination = place (Packet.destination p) 2 in
    let local, remote =
      match way with Out -> (source, destination) | In -> (destination, source)
    in
    Some { way; udp = p.protocol = udp; local; remote }

type segment = { syn : bool; ack : int option; fin : bool; rst : bool; seq : int; length : int }

let shortest_tcp = 20

let segment f =
  let p = scratch in
  if not (fill f && p.protocol = tcp && p.fragment_offset = 0 && p.payload_length >= shortest_tcp)
  then None
  else
    let at = p.payload_at in
    let number n = Int32.to_int (Bytes.get_int32_be p.data (at + n)) land 0xffff_ffff in
    let flags = Bytes.get_uint8 p.data (at + 13)
    and words = Bytes.get_uint8 p.data (at + 12) lsr 4 in
    let has n = flags land n <> 0 in
    Some
      {
        fin = has 1;
        syn = has 2;
        rst = has 4;
        ack = (if has 16 then Some (number 8) else None);
        seq = number 4;
        length = Int.max 0 (p.payload_length - (4 * words));
      }

let udp_header = 8

let datagram_length f =
  let p = scratch in
  if not (fill f) then 0
  else Int.max 0 (p.payload_length - if p.fragment_offset = 0 then udp_header else 0)
