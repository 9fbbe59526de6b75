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

let report ?by t ~now error p =
  Control_queue.report ~transit:true ?by t.control ~now error p ~link_group:false

let is_v4 (p : Packet.t) = p.address_length = Ip.v4_length

(* 169.254.0.0/16. *)
let is_link_local key = key lsr 16 = 0xa9fe

let is_reserved_v4 (p : Packet.t) =
  let reserved a = a lsr 24 = 0 || a lsr 24 = 127 || a lsr 28 >= 0xe || is_link_local a in
  reserved p.source_key || reserved p.destination_key

let is_reserved_v6 ~src ~dst =
  Ip.is_link_local src || Ip.is_link_local dst || Ip.is_any dst || Ip.is_mapped dst

(* The packet of a link-local address to one that other links may have (RFC 4443 §3.1). *)
let is_beyond_scope t (p : Packet.t) =
  (not (is_v4 p))
  &&
  let dst = Packet.destination p in
  Ip.is_link_local (Packet.source p)
  && (not (is_reserved_v6 ~src:dst ~dst))
  && Routes.is_source t.routes dst
  && not (Routes.is_local t.routes dst)

let may_go t (p : Packet.t) =
  let src = Packet.source p and dst = Packet.destination p in
  (not (if is_v4 p then is_reserved_v4 p else is_reserved_v6 ~src ~dst))
  && Routes.is_source t.routes src
  && not (Routes.is_to_group t.routes p || Routes.is_local t.routes dst)

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
  let behind_headers = (not (is_v4 p)) && p.payload_at - p.at > Ipv6.shortest in
  if checksum <> Verified || field < 0 || Packet.is_fragment p || has_none () || behind_headers then
    checksum
  else (
    Bytes.set_uint16_be b (payload + field) (Packet.pseudo_sum p);
    Partial)

let send_whole t (p : Packet.t) checksum ~len =
  let dst = Packet.destination p in
  Control_queue.push_forwarded t.control p.data ~off:p.at ~len ~dst (fun b ~at ->
      if is_v4 p then decrement_ttl b ~at else Ipv6.set_hop_limit b ~off:at (p.ttl - 1);
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
        if (not (is_v4 p)) || (Ipv4.header p).dont_fragment then (
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
  let is_v4 = Ethernet.get_ethertype f.data ~off:f.off = Ethernet.ethertype_ipv4 in
  if
    if is_v4 then Result.is_ok (Ipv4.read t.packet f.data ~off ~len)
    else Result.is_ok (Ipv6.read t.packet f.data ~off ~len)
  then packet t ~now t.packet ~frame:f
  else dropped t;
  Frame.release f

let pieces t =
  let size = Routes.longest_mtu t.routes + Ethernet.length in
  if Frame.size t.pieces < size then t.pieces <- Frame.pool ~keep:64 ~size ();
  t.pieces

let is_source_routed (p : Packet.t) =
  let options = p.payload_at - p.at - Ipv4.shortest in
  is_v4 p && options > 0
  && has_source_route (Bytes.sub_string p.data (p.at + Ipv4.shortest) options)

let input t ~now ~interface (p : Packet.t) ~(frame : Frame.t) ~link_group =
  if link_group || (not (may_go t p)) || is_source_routed p then (
    dropped t;
    if (not link_group) && is_beyond_scope t p then (
      complete frame;
      report t ~now ~by:(Routes.interface t.routes interface) Beyond_scope p))
  else if frame.segment_size = 0 then packet t ~now p ~frame
  else if not (Segmentation.cut (pieces t) frame (segment t ~now)) then dropped t

let refused t ~now (r : Ipv6.report) (p : Packet.t) ~link_group =
  dropped t;
  if not link_group then report t ~now (Refused r) p

let undeliverable t ~now b ~off ~v4 =
  let len = Bytes.length b - off in
  (if v4 then Result.is_ok (Ipv4.read_quoted t.packet b ~off ~len)
   else Result.is_ok (Ipv6.read_quoted t.packet b ~off ~len))
  &&
  let theirs = not (Routes.is_local t.routes (Packet.source t.packet)) in
  if theirs then report t ~now (Unreachable Host) t.packet;
  theirs
