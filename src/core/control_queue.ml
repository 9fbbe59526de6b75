open Weir_base
open Weir_wire

type t = {
  counters : Counters.t;
  routes : Routes.t;
  paths : Paths.t;
  queue : Outgoing.t Fifo.t;
  spares : Bytes.t Fifo.t;  (** frames of [full] bytes that were sent *)
  mutable full : int;
  mutable hop_limit : int;  (** of IPv6 packets, unless their sender chose another *)
  ids : Fragment.ids;
  limiter : Limiter.t;
}

type header = { ttl : int; dont_fragment : bool }

let default = { ttl = 64; dont_fragment = false }
let atomic_v4 = { Ipv4.base with dont_fragment = true }
let capable = { Ipv4.base with dscp_ecn = Packet.ect_0 }
let atomic_capable = { atomic_v4 with dscp_ecn = Packet.ect_0 }
let ethernet = Ethernet.length
let header_length = Ip.header_length
let longest = 1_024
let longest_forwarded = longest / 2
let most_spares = 64

let create counters routes paths random =
  {
    counters;
    routes;
    paths;
    queue = Fifo.create ~dummy:Outgoing.none;
    spares = Fifo.create ~dummy:Bytes.empty;
    full = 0;
    hop_limit = default.ttl;
    ids = Fragment.ids random;
    limiter = Limiter.create ~random:(Public_random.make random) ~rate:1_000 ~burst:50 ();
  }

let set_mtu t mtu = t.full <- ethernet + mtu
let set_hop_limit t n = t.hop_limit <- n
let is_empty t = Fifo.is_empty t.queue
let length t = Fifo.length t.queue
let pop t = Fifo.pop t.queue
let next_length t = if Fifo.is_empty t.queue then 0 else (Fifo.peek t.queue).frame_len
let may_answer t ~now = Limiter.take t.limiter ~now

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

(* -- IP headers ------------------------------------------------------------ *)

let v4_header { ttl; dont_fragment } =
  if ttl = default.ttl && not dont_fragment then Ipv4.base
  else { Ipv4.base with ttl; dont_fragment }

let hop_limit t like = if like.ttl = default.ttl then t.hop_limit else like.ttl

let write_header t like b ~src ~dst ~protocol ~data_length =
  if Ip.is_v4 dst then
    let identification = Fragment.next_id t.ids ~dst ~protocol in
    Ipv4.write (v4_header like) b ~off:ethernet ~src ~dst ~protocol ~data_length ~identification
  else Ipv6.write b ~off:ethernet ~src ~dst ~protocol ~hop_limit:(hop_limit t like) ~data_length

(* RFC 6864 §4.1: an IPv4 packet that nobody may fragment needs no identification. *)
let atomic = { default with dont_fragment = true }

let write_tcp t b ~src ~dst ~data_length ~ecn =
  let protocol = Ipv4.protocol_tcp in
  if not (Ip.is_v4 dst) then (
    Ipv6.write b ~off:ethernet ~src ~dst ~protocol ~hop_limit:t.hop_limit ~data_length;
    if ecn <> 0 then Ipv6.set_ecn b ~off:ethernet ecn;
    Ipv6.shortest)
  else (
    (if Paths.some_may_cut t.paths && Paths.may_cut t.paths dst then
       let identification = Fragment.next_id t.ids ~dst ~protocol in
       let like = if ecn = 0 then Ipv4.base else capable in
       Ipv4.write like b ~off:ethernet ~src ~dst ~protocol ~data_length ~identification
     else
       let like = if ecn = 0 then atomic_v4 else atomic_capable in
       Ipv4.write like b ~off:ethernet ~src ~dst ~protocol ~data_length ~identification:0);
    Ipv4.shortest)

(* Whether a router may report the packet as too long. The host must then recognise the report. *)
let may_be_refused like ~dst ~length =
  like.dont_fragment || not (Ip.is_v4 dst || length <= Paths.least_v6)

(* [fill b off] writes [data_length] bytes of payload. *)
let push_packet ?(like = default) t ~src ~dst ~protocol ~data_length fill =
  if Fifo.length t.queue >= longest then dropped t
  else
    let start = ethernet + header_length dst in
    let frame_len = start + data_length in
    let frame = frame t frame_len in
    write_header t like frame ~src ~dst ~protocol ~data_length;
    fill frame start;
    if protocol <> Ipv4.protocol_tcp && may_be_refused like ~dst ~length:(frame_len - ethernet) then
      Paths.remember t.paths ~dst frame ~off:start;
    push t (Outgoing.plain frame ~len:frame_len ~dst Routed)

(* -- fragments ------------------------------------------------------------- *)

(* A part whose header is written by [emit]; its data are at [from] in [b]. *)
let push_part t ~dst ~header ~data_length emit b ~from =
  let frame_len = ethernet + header + data_length in
  let frame = frame t frame_len in
  emit frame ~off:ethernet;
  Bytes.blit b from frame (ethernet + header) data_length;
  ignore (push t (Outgoing.plain frame ~len:frame_len ~dst Routed) : bool)

(* The data of [whole] start at [from] in [b]. *)
let push_parts t ~mtu (whole : Ipv4.t) b ~from =
  Fragment.iter ~mtu whole (fun (part : Ipv4.t) ~at ->
      push_part t ~dst:whole.dst ~header:(Ipv4.length part) ~data_length:part.data_length
        (Ipv4.emit part) b ~from:(from + at))

let push_parts_v6 t ~mtu (whole : Ipv6.t) b ~from =
  let identification = Fragment.next_id_v6 t.ids ~dst:whole.dst in
  Fragment.iter_v6 ~mtu whole ~identification (fun (part : Ipv6.t) ~at ->
      push_part t ~dst:whole.dst ~header:(Ipv6.length part) ~data_length:part.data_length
        (Ipv6.emit part) b ~from:(from + at))

let push_fragments t like ~mtu ~src ~dst ~protocol ~length fill =
  let room = mtu - header_length dst - if Ip.is_v4 dst then 0 else Ipv6.fragment_length in
  let pieces = (length / (room land lnot 7)) + 1 in
  if Fifo.length t.queue + pieces > longest then dropped t
  else
    let payload = Bytes.create length in
    fill payload 0;
    if not (Ip.is_v4 dst) then Paths.remember t.paths ~dst payload ~off:0;
    if Ip.is_v4 dst then
      let identification = Fragment.next_id t.ids ~dst ~protocol in
      push_parts t ~mtu
        { (v4_header like) with src; dst; protocol; data_length = length; identification }
        payload ~from:0
    else
      push_parts_v6 t ~mtu
        { Ipv6.base with src; dst; protocol; hop_limit = hop_limit t like; data_length = length }
        payload ~from:0;
    true

let fragment_v6 t ~mtu b ~len =
  match Ipv6.decode b ~off:ethernet ~len with
  | Ok ({ fragment = None; _ } as h) -> push_parts_v6 t ~mtu h b ~from:(ethernet + h.header_length)
  | Ok _ | Error _ -> ignore (dropped t : bool)

let fragment t ~mtu ~dst b ~len =
  if not (Ip.is_v4 dst) then fragment_v6 t ~mtu b ~len
  else
    match Ipv4.decode b ~off:ethernet ~len with
    | Ok h when not h.dont_fragment -> push_parts t ~mtu h b ~from:(ethernet + h.header_length)
    | Ok _ | Error _ -> ignore (dropped t : bool)

let push_datagram ?(like = default) t ~src ~dst ~protocol ~length fill =
  let mtu = Int.min (Routes.mtu t.routes dst) (Paths.mtu t.paths dst) in
  if header_length dst + length <= mtu || like.dont_fragment then
    (* Below the least MTU routers must do it. *)
    let like =
      if like.dont_fragment && Paths.may_cut t.paths dst then { like with dont_fragment = false }
      else like
    in
    push_packet ~like t ~src ~dst ~protocol ~data_length:length fill
  else push_fragments t like ~mtu ~src ~dst ~protocol ~length fill

(* -- neighbours ------------------------------------------------------------ *)

let push_frame t (interface : Interface.t) frame ~dst =
  let len = Bytes.length frame in
  ignore (push t (Outgoing.plain frame ~len ~dst (On interface.number)) : bool)

let push_arp t (interface : Interface.t) ~dst (arp : Arp.t) =
  let frame = Bytes.create (ethernet + Arp.length) in
  Ethernet.emit { dst; src = interface.mac; ethertype = Ethernet.ethertype_arp } frame ~off:0;
  Arp.emit arp frame ~off:ethernet;
  push_frame t interface frame ~dst:arp.target_ip

(* RFC 4861 §7.1.1: it must not have been forwarded. *)
let nd_hop_limit = 255

let push_nd t (interface : Interface.t) ~mac ~src ~dst message =
  let length = Nd.length message and protocol = Ipv6.protocol_icmp in
  let frame = Bytes.create (ethernet + Ipv6.shortest + length) in
  Ethernet.emit { dst = mac; src = interface.mac; ethertype = Ethernet.ethertype_ipv6 } frame ~off:0;
  Ipv6.write frame ~off:ethernet ~src ~dst ~protocol ~hop_limit:nd_hop_limit ~data_length:length;
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol ~length in
  Nd.emit message ~pseudo frame ~off:(ethernet + Ipv6.shortest);
  push_frame t interface frame ~dst

(* Routers on the way look at it, and it stays on the link (RFC 9776 §4, RFC 9777 §5). *)
let router_alert = "\x94\x04\x00\x00"
let alert_length = 8

let push_membership t (interface : Interface.t) ~src ~dst message =
  let v4 = Ip.is_v4 dst in
  let length = Membership.length ~v4 message in
  let header = if v4 then Ipv4.shortest + 4 else Ipv6.shortest + alert_length in
  let frame = Bytes.create (ethernet + header + length) in
  let ethertype = if v4 then Ethernet.ethertype_ipv4 else Ethernet.ethertype_ipv6 in
  Ethernet.write frame ~off:0 ~dst:(Ip.group_mac dst) ~src:interface.mac ethertype;
  let pseudo =
    if v4 then (
      let like =
        { Ipv4.base with ttl = 1; dscp_ecn = 0xc0; dont_fragment = true; options = router_alert }
      in
      Ipv4.write like frame ~off:ethernet ~src ~dst ~protocol:Ipv4.protocol_igmp ~data_length:length
        ~identification:0;
      0)
    else
      let protocol = Ipv6.protocol_icmp in
      Ipv6.write frame ~off:ethernet ~src ~dst ~protocol:0 ~hop_limit:1
        ~data_length:(alert_length + length);
      Ipv6.emit_router_alert frame ~off:(ethernet + Ipv6.shortest) ~protocol;
      Ip.pseudo_sum ~src ~dst ~protocol ~length
  in
  Membership.emit message ~pseudo ~v4 frame ~off:(ethernet + header);
  push_frame t interface frame ~dst

(* RFC 4861 §7.2.2, §7.2.4. *)
let push_discovery t interface ~mac (m : Neighbours.message) =
  match m.operation with
  | Request ->
      let dst = if Mac.is_group mac then Ip.solicited_node m.target_ip else m.target_ip in
      let mac = if Mac.is_group mac then Ip.group_mac dst else mac in
      push_nd t interface ~mac ~src:m.sender_ip ~dst
        (Neighbour_solicitation { target = m.target_ip; source_mac = Some m.sender_mac; nonce = "" })
  | Reply ->
      let solicited = not (Ip.is_any m.target_ip) in
      let dst = if solicited then m.target_ip else Ip.all_nodes in
      let mac = if solicited then mac else Ip.group_mac dst in
      push_nd t interface ~mac ~src:m.sender_ip ~dst
        (Neighbour_advertisement
           {
             target = m.sender_ip;
             target_mac = Some m.sender_mac;
             router = Routes.is_router t.routes;
             solicited;
             override = true;
           })

let push_neighbour t interface ({ dst; arp } : Neighbours.request) =
  if Ip.is_v4 arp.sender_ip then push_arp t interface ~dst arp
  else push_discovery t interface ~mac:dst arp

(* -- TCP and ICMP ------------------------------------------------------------ *)

let push_segment t ~src ~dst (h : Segment.t) =
  let length = Segment.length h in
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_tcp ~length in
  ignore
    (push_packet ~like:atomic t ~src ~dst ~protocol:Ipv4.protocol_tcp ~data_length:length
       (fun b off -> Segment.emit h ~pseudo ~data_sum:0 b ~off))

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

(* RFC 4443 §2.2: from the address to which the packet was sent, if it is ours. *)
let source_of_report ?by t (about : Packet.t) ~dst =
  let own = Packet.destination about in
  match by with
  | Some i -> Interface.source_for i dst
  | None when Routes.is_own t.routes own && not (Ip.is_v4 own) -> own
  | None -> Routes.source_for t.routes dst

let report ?to_group ?(transit = false) ?by t ~now error (about : Packet.t) ~link_group =
  let may =
    if transit then Icmp.may_report_transit t.routes about
    else Icmp.may_report ?to_group t.routes ~link_group about
  in
  if may && Limiter.take t.limiter ~now then (
    let dst = Packet.source about in
    let src = source_of_report ?by t about ~dst in
    let v4 = Ip.is_v4 dst in
    let message = Bytes.create (if v4 then Icmp.longest_error else Icmp.longest_error_v6) in
    let length =
      if v4 then
        let len = about.payload_at + about.payload_length - about.at in
        Icmp.emit_error error ~quote:about.data ~off:about.at ~len message ~at:0
      else Icmp.emit_error_v6 error about ~src ~dst message ~at:0
    in
    let protocol = if v4 then Ipv4.protocol_icmp else Ipv6.protocol_icmp in
    t.counters.icmp_out <- t.counters.icmp_out + 1;
    ignore
      (push_packet t ~src ~dst ~protocol ~data_length:length (fun frame at ->
           Bytes.blit message 0 frame at length)))
