open Weir_base
open Weir_wire

type t = {
  counters : Counters.t;
  routes : Routes.t;
  queue : Outgoing.t Fifo.t;
  spares : Bytes.t Fifo.t;  (** frames of [full] bytes that were sent *)
  mutable full : int;
  ids : Fragment.ids;
  limiter : Limiter.t;
}

let ethernet = Ethernet.length
let ip_length = Ipv4.shortest
let longest = 1_024
let longest_forwarded = longest / 2
let most_spares = 64

let create counters routes random =
  {
    counters;
    routes;
    queue = Fifo.create ~dummy:Outgoing.none;
    spares = Fifo.create ~dummy:Bytes.empty;
    full = 0;
    ids = Fragment.ids random;
    limiter = Limiter.create ~random:(Public_random.make random) ~rate:1_000 ~burst:50 ();
  }

let set_mtu t mtu = t.full <- ethernet + mtu
let is_empty t = Fifo.is_empty t.queue
let length t = Fifo.length t.queue
let pop t = Fifo.pop t.queue
let next_length t = if Fifo.is_empty t.queue then 0 else (Fifo.peek t.queue).frame_len

let recycle t ({ frame; _ } : Outgoing.t) =
  if Bytes.length frame = t.full && Fifo.length t.spares < most_spares then Fifo.push t.spares frame

(* A short packet gets a buffer of its own length, so a queue of short packets takes little memory. *)
let frame t len =
  if 2 * len < t.full then Bytes.create len
  else if Fifo.is_empty t.spares then Bytes.create t.full
  else Fifo.pop t.spares

let dropped t =
  t.counters.control_dropped <- t.counters.control_dropped + 1;
  false

let push t entry =
  if Fifo.length t.queue >= longest then dropped t
  else (
    Fifo.push t.queue entry;
    true)

let write_like t (like : Ipv4.t) b ~src ~dst ~protocol ~data_length =
  let identification = Fragment.next_id t.ids ~dst ~protocol in
  Ipv4.write like b ~off:ethernet ~src ~dst ~protocol ~data_length ~identification

let write_ip t b ~src ~dst ~protocol ~data_length =
  write_like t Ipv4.base b ~src ~dst ~protocol ~data_length

(* [fill b off] writes [data_length] bytes of payload. *)
let push_packet ?(like = Ipv4.base) t ~src ~dst ~protocol ~data_length fill =
  if Fifo.length t.queue >= longest then dropped t
  else
    let frame_len = ethernet + ip_length + data_length in
    let frame = frame t frame_len in
    write_like t like frame ~src ~dst ~protocol ~data_length;
    fill frame (ethernet + ip_length);
    push t (Outgoing.plain frame ~len:frame_len ~dst Routed)

(* The data of [whole] start at [from] in [b]. *)
let push_parts t ~mtu (whole : Ipv4.t) b ~from =
  let dst = whole.dst in
  Fragment.iter ~mtu whole (fun (part : Ipv4.t) ~at ->
      let data = ethernet + Ipv4.length part in
      let frame_len = data + part.data_length in
      let frame = frame t frame_len in
      Ipv4.emit part frame ~off:ethernet;
      Bytes.blit b (from + at) frame data part.data_length;
      ignore (push t (Outgoing.plain frame ~len:frame_len ~dst Routed)))

let push_fragments t like ~mtu ~src ~dst ~protocol ~length fill =
  let pieces = (length / ((mtu - ip_length) land lnot 7)) + 1 in
  if Fifo.length t.queue + pieces > longest then dropped t
  else
    let payload = Bytes.create length in
    fill payload 0;
    let identification = Fragment.next_id t.ids ~dst ~protocol in
    let whole = { like with Ipv4.src; dst; protocol; data_length = length; identification } in
    push_parts t ~mtu whole payload ~from:0;
    true

let fragment t ~mtu b ~len =
  match Ipv4.decode b ~off:ethernet ~len with
  | Ok h when not h.dont_fragment -> push_parts t ~mtu h b ~from:(ethernet + h.header_length)
  | Ok _ | Error _ -> ignore (dropped t : bool)

let push_datagram ?(like = Ipv4.base) t ~src ~dst ~protocol ~length fill =
  let mtu = Routes.mtu t.routes dst in
  if ip_length + length <= mtu then push_packet ~like t ~src ~dst ~protocol ~data_length:length fill
  else push_fragments t like ~mtu ~src ~dst ~protocol ~length fill

let push_arp t (interface : Interface.t) ({ dst; arp } : Neighbours.request) =
  let frame_len = ethernet + Arp.length in
  let frame = Bytes.create frame_len in
  Ethernet.emit { dst; src = interface.mac; ethertype = Ethernet.ethertype_arp } frame ~off:0;
  Arp.emit arp frame ~off:ethernet;
  ignore (push t (Outgoing.plain frame ~len:frame_len ~dst:arp.target_ip (On interface.number)))

let push_segment t ~src ~dst (h : Segment.t) =
  let length = Segment.length h in
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_tcp ~length in
  ignore
    (push_packet t ~src ~dst ~protocol:Ipv4.protocol_tcp ~data_length:length (fun b off ->
         Segment.emit h ~pseudo ~data_sum:0 b ~off))

(* Half of the queue stays free for this host's own packets. *)
let has_room_to_forward t pieces = Fifo.length t.queue + pieces <= longest_forwarded

let push_forwarded t b ~off ~len ~dst edit =
  has_room_to_forward t 1
  &&
  let frame_len = ethernet + len in
  let frame = frame t frame_len in
  Bytes.blit b off frame ethernet len;
  let checksum = edit frame ~at:ethernet in
  push t { (Outgoing.plain frame ~len:frame_len ~dst Routed) with checksum }

let push_forwarded_parts t ~mtu (whole : Ipv4.t) b ~from =
  has_room_to_forward t ((whole.data_length / ((mtu - Ipv4.length whole) land lnot 7)) + 1)
  &&
  (push_parts t ~mtu whole b ~from;
   true)

let report ?(transit = false) t ~now error (about : Packet.t) ~link_group =
  let may =
    if transit then Icmp.may_report_transit t.routes about
    else Icmp.may_report t.routes ~link_group about
  in
  if may && Limiter.take t.limiter ~now then (
    let message = Bytes.create Icmp.longest_error in
    let len = about.payload_at + about.payload_length - about.at in
    let length = Icmp.emit_error error ~quote:about.data ~off:about.at ~len message ~at:0 in
    let dst = Packet.source about in
    t.counters.icmp_out <- t.counters.icmp_out + 1;
    ignore
      (push_packet t ~src:(Routes.source_for t.routes dst) ~dst ~protocol:Ipv4.protocol_icmp
         ~data_length:length (fun frame at -> Bytes.blit message 0 frame at length)))
