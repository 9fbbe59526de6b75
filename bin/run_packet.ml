open Weir_link
module Packet = Weir_wire.Packet

type key = bool * int * Ipaddr.t * int
type t = { way : Run_scope.way; udp : bool; local_port : int; remote : Ipaddr.t * int }

let key t : key = (t.udp, t.local_port, fst t.remote, snd t.remote)
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
    let remote, local_at, remote_at =
      match way with Out -> (Packet.destination p, 0, 2) | In -> (Packet.source p, 2, 0)
    in
    Some
      {
        way;
        udp = p.protocol = udp;
        local_port = port local_at;
        remote = (Weir_wire.Ip.to_ipaddr remote, port remote_at);
      }
