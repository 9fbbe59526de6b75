open Stack_state
module Packet = Weir_wire.Packet

let handed t (p : Packet.t) ~verified : Siblings.packet =
  t.counters.handed_on <- t.counters.handed_on + 1;
  {
    bytes = Bytes.sub p.data p.at (p.payload_at + p.payload_length - p.at);
    arp = false;
    verified;
    segment_size = p.segment_size;
    link_group = t.link_group;
    hops = t.hops + 1;
  }

(* The packet's checksum is already verified. After [count] hops every host has seen the packet. *)
let hand_stray t () =
  match t.siblings with
  | Some s when t.hops < s.count ->
      let p = t.packet in
      Siblings.to_ s
        ~port:(Bytes.get_uint16_be p.data (p.payload_at + 2))
        (handed t p ~verified:true);
      true
  | _ -> false

let hand_to_all t p ~verified =
  match t.siblings with
  | Some s when t.hops = 0 -> Siblings.to_all s (handed t p ~verified)
  | _ -> ()

let set t s =
  t.siblings <- Some s;
  let ports = Tcp.ports t.tcp in
  ports.index <- s.Siblings.index;
  ports.of_ <- s.count;
  Tcp.set_stray t.tcp (hand_stray t);
  Datagrams.set_stray t.datagrams (hand_stray t)
