open Weir_base
open Weir_wire

type t = {
  counters : Counters.t;
  routes : Routes.t;
  control : Control_queue.t;
  packet : Packet.t;  (** a segment that was cut out of a long frame *)
  mutable pieces : Frame.pool;
}

let create counters routes control =
  { counters; routes; control; packet = Packet.create (); pieces = Frame.pool ~keep:64 ~size:0 () }

let dropped t = t.counters.ip_forward_dropped <- t.counters.ip_forward_dropped + 1

let report t ~now error p =
  Control_queue.report ~transit:true t.control ~now error p ~link_group:false

(* 169.254.0.0/16. *)
let is_link_local key = key lsr 16 = 0xa9fe

let may_go t (p : Packet.t) =
  let src = p.source_key and dst = p.destination_key in
  let reserved a = a lsr 24 = 0 || a lsr 24 = 127 || a lsr 28 >= 0xe || is_link_local a in
  (not (reserved src || reserved dst))
  && Routes.is_source t.routes (Packet.source p)
  && not (Routes.is_to_group t.routes p || Routes.is_local t.routes (Packet.destination p))

let loose_source_route = 131
let strict_source_route = 137

let has_source_route options =
  let n = String.length options in
  let rec from i =
    i < n
    &&
    match Char.code options.[i] with
    | 0 -> false
    | 1 -> from (i + 1)
    | kind when kind = loose_source_route || kind = strict_source_route -> true
    | _ -> i + 1 < n && Char.code options.[i + 1] >= 2 && from (i + Char.code options.[i + 1])
  in
  from 0

(* The checksum is adjusted (RFC 1624), not computed anew. *)
let decrement_ttl b ~at =
  let word = Bytes.get_uint16_be b (at + 8) in
  let sum = lnot (Bytes.get_uint16_be b (at + 10)) land 0xffff in
  let less = Checksum.add (Checksum.add sum (lnot word land 0xffff)) (word - 0x100) in
  Bytes.set_uint16_be b (at + 8) (word - 0x100);
  Bytes.set_uint16_be b (at + 10) (Checksum.finish less)

let transport_field (p : Packet.t) =
  if p.protocol = Ipv4.protocol_tcp && p.payload_length >= Tcp.shortest then 16
  else if p.protocol = Ipv4.protocol_udp && p.payload_length >= Udp.length then 6
  else -1

(* A packet that a device has verified may have no valid checksum; the next device computes one. *)
let renew (p : Packet.t) (checksum : Frame.checksum) b ~payload : Frame.checksum =
  let field = transport_field p in
  let has_none () = p.protocol = Ipv4.protocol_udp && Bytes.get_uint16_be b (payload + 6) = 0 in
  if checksum <> Verified || field < 0 || Packet.is_fragment p || has_none () then checksum
  else (
    Bytes.set_uint16_be b (payload + field) (Packet.pseudo_sum p);
    Partial)

let send_whole t (p : Packet.t) checksum ~len =
  let dst = Packet.destination p in
  Control_queue.push_forwarded t.control p.data ~off:p.at ~len ~dst (fun b ~at ->
      decrement_ttl b ~at;
      renew p checksum b ~payload:(at + p.payload_at - p.at))

let send_parts t (p : Packet.t) ~mtu =
  let whole = Ipv4.header p in
  Control_queue.push_forwarded_parts t.control ~mtu
    { whole with ttl = p.ttl - 1 }
    p.data ~from:p.payload_at

(* The checksum must be there before the packet is cut or quoted. *)
let complete (frame : Frame.t) =
  if frame.checksum = Partial then (
    ignore (Transport.complete frame.data ~off:frame.off ~len:frame.len : bool);
    Frame.set_checksum frame Unverified)

let route t ~now (p : Packet.t) ~frame =
  let r = Routes.find t.routes (Packet.destination p) in
  if not (Routes.leads r) then (
    dropped t;
    report t ~now (Unreachable Net) p)
  else
    let { Interface.mtu; _ } = Routes.interface t.routes r.interface in
    let len = p.payload_at + p.payload_length - p.at in
    let sent =
      if len <= mtu then send_whole t p frame.Frame.checksum ~len
      else (
        complete frame;
        if (Ipv4.header p).dont_fragment then (
          report t ~now (Unreachable (Fragmentation_needed mtu)) p;
          false)
        else send_parts t p ~mtu)
    in
    if sent then t.counters.ip_forwarded <- t.counters.ip_forwarded + 1 else dropped t

let packet t ~now (p : Packet.t) ~frame =
  if p.ttl <= 1 then (
    complete frame;
    dropped t;
    report t ~now Ttl_exceeded p)
  else route t ~now p ~frame

let segment t ~now (f : Frame.t) =
  let off = f.off + Ethernet.length and len = f.len - Ethernet.length in
  (match Ipv4.read t.packet f.data ~off ~len with
  | Ok () -> packet t ~now t.packet ~frame:f
  | Error _ -> dropped t);
  Frame.release f

let pieces t =
  let size = Routes.longest_mtu t.routes + Ethernet.length in
  if Frame.size t.pieces < size then t.pieces <- Frame.pool ~keep:64 ~size ();
  t.pieces

let input t ~now (p : Packet.t) ~(frame : Frame.t) ~link_group =
  let options = p.payload_at - p.at - Ipv4.shortest in
  if link_group || not (may_go t p) then dropped t
  else if options > 0 && has_source_route (Bytes.sub_string p.data (p.at + Ipv4.shortest) options)
  then dropped t
  else if frame.segment_size = 0 then packet t ~now p ~frame
  else if not (Segmentation.cut (pieces t) frame (segment t ~now)) then dropped t

let undeliverable t ~now b ~off =
  match Ipv4.read_quoted t.packet b ~off ~len:(Bytes.length b - off) with
  | Error _ -> false
  | Ok () ->
      let theirs = not (Routes.is_local t.routes (Packet.source t.packet)) in
      if theirs then report t ~now (Unreachable Host) t.packet;
      theirs
