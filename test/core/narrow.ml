open Weir_base
open Weir_wire
open Weir_core

type t = {
  mutable mtu : int;
  mutable silent : bool;
  mutable tells : bool;
  mutable dropped : int;
  mutable reports : int;
}

let router = Ip.of_v4 (Ipaddr.V4.of_string_exn "192.0.2.1")

let report w h b ~at ~mtu =
  let data_length = Int.min (Bytes.length b - at) 48 in
  let frame = Bytes.create (42 + data_length) in
  Bytes.blit b at frame 42 data_length;
  Icmpv4.emit
    (Destination_unreachable { code = Fragmentation_needed mtu; rest = 0; data_length })
    frame ~off:34;
  let len = Forge.ip h ~src:router ~protocol:Ipv4.protocol_icmp (8 + data_length) frame in
  World.inject w h frame ~len

(* How long the longest packet is for which a frame stands. *)
let packet_length (f : Frame.t) =
  let n = f.len - 14 in
  if f.segment_size = 0 then n
  else
    let tcp = 4 * (Bytes.get_uint8 f.data (f.off + 14 + 20 + 12) lsr 4) in
    Int.min n (20 + tcp + f.segment_size)

let put w ~mtu =
  let t = { mtu; silent = false; tells = true; dropped = 0; reports = 0 } in
  World.on_path w (fun h f ->
      let at = f.off + 14 in
      let is_ip = Bytes.get_uint16_be f.data (f.off + 12) = 0x0800 in
      let whole = is_ip && Bytes.get_uint16_be f.data (at + 6) land 0x4000 <> 0 in
      let passes = (not whole) || packet_length f <= t.mtu in
      if not passes then (
        t.dropped <- t.dropped + 1;
        if not t.silent then (
          t.reports <- t.reports + 1;
          let head = Bytes.sub f.data at (Int.min 60 (f.len - 14)) in
          let mtu = if t.tells then t.mtu else 0 in
          World.at w (World.now w + Time.ms 1) (fun () -> report w h head ~at:0 ~mtu)));
      passes);
  t

let quote ?(dont_fragment = true) (c : Tcb.t) ~seq ~length =
  let b = Bytes.make 48 '\000' in
  Ipv4.emit
    {
      Ipv4.base with
      src = c.local;
      dst = c.remote;
      protocol = Ipv4.protocol_tcp;
      dont_fragment;
      data_length = length - 20;
    }
    b ~off:0;
  Bytes.set_uint16_be b 20 c.local_port;
  Bytes.set_uint16_be b 22 c.remote_port;
  Bytes.set_uint16_be b 24 (seq lsr 16);
  Bytes.set_uint16_be b 26 (seq land 0xffff);
  b
