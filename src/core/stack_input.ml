open Weir_base
open Stack_state
module Ip = Weir_wire.Ip
module Mac = Weir_wire.Mac
module Ethernet = Weir_wire.Ethernet
module Arp = Weir_wire.Arp
module Packet = Weir_wire.Packet
module Ipv4 = Weir_wire.Ipv4
module Ipv6 = Weir_wire.Ipv6
module Icmpv6 = Weir_wire.Icmpv6
module Membership = Weir_wire.Membership

let ethernet = Ethernet.length

(* -- transports ---------------------------------------------------------- *)

let pseudo p ~verified = if verified then -1 else Packet.pseudo_sum p

let tcp_input t (p : Packet.t) ~verified =
  let off = p.payload_at and segment = t.segment in
  match Segment.read segment ~pseudo:(pseudo p ~verified) p.data ~off ~len:p.payload_length with
  | Error _ -> t.counters.tcp_in_malformed <- t.counters.tcp_in_malformed + 1
  | Ok () ->
      (* Answers leave by their route, which may use another interface. *)
      let mtu =
        if Array.length (Routes.interfaces t.routes) = 1 then t.mtu_in
        else Routes.mtu t.routes (Packet.source p)
      in
      let ip_header = if p.address_length = Ip.v4_length then Ipv4.shortest else Ipv6.shortest in
      Tcp.input t.tcp p ~mss:(mss_of mtu ~ip_header) segment p.data
        ~data:(off + segment.header_length)

(* -- groups -------------------------------------------------------------- *)

(* What a router must not forward. MLD's have link-local sources and options for routers, too, so
   that nobody elsewhere can send them (RFC 9777 §6.2). *)
let is_from_link (p : Packet.t) =
  p.ttl = 1
  && (p.address_length = Ip.v4_length
     || (Ip.is_link_local (Packet.source p) && Bytes.get_uint8 p.data (p.at + 6) = Ipv6.hop_by_hop)
     )

let membership_input t ~now (p : Packet.t) ~whole ~pseudo =
  let v4 = p.address_length = Ip.v4_length in
  let malformed () = t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1 in
  if not (whole && is_from_link p) then malformed ()
  else
    match Membership.decode ~pseudo ~v4 p.data ~off:p.payload_at ~len:p.payload_length with
    | Error _ -> malformed ()
    | Ok m -> Groups.heard t.groups ~now (Routes.interface t.routes t.came_by) m

let icmpv6_input t ~now (p : Packet.t) ~whole =
  let { Packet.data = b; payload_at = off; payload_length = len; _ } = p in
  if not (Icmp.is_request p) then Stack_siblings.hand_to_all t p ~verified:false;
  match Icmpv6.decode ~pseudo:(Packet.pseudo_sum p) b ~off ~len with
  | Error _ -> t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1
  | Ok (Other { kind; _ }) when Weir_wire.Nd.is_type kind ->
      Discovery.input t.discovery ~now (Routes.interface t.routes t.came_by) p ~whole
  | Ok (Other { kind; _ }) when Membership.is_mld kind ->
      membership_input t ~now p ~whole ~pseudo:(-1)
  | Ok message -> Datagrams.icmpv6_input t.datagrams ~now p message

(* -- IP ------------------------------------------------------------------ *)

let unknown_protocol t ~now p ~link_group =
  t.counters.ip_in_unknown_protocol <- t.counters.ip_in_unknown_protocol + 1;
  Control_queue.report t.control ~now (Unreachable Protocol) p ~link_group

(* Only neighbour discovery uses packets from [::], and IGMP those to a group from 0.0.0.0. What is
   for a group comes in a frame for one, by which the interface is known. *)
let says_source (p : Packet.t) ~link_group =
  if p.address_length = Ip.v4_length then
    p.destination_key lsr 28 <> 0xe || (link_group && p.source_key <> 0)
  else not (Ip.is_any_at p.data p.source_at ~length:p.address_length)

let is_for_dhcp t p = match t.dhcp with [] -> false | _ :: _ -> Dhcp.may_be_reply p

(* [whole]: it did not come in fragments. *)
let deliver t ~now (p : Packet.t) ~verified ~link_group ~whole =
  let group = Routes.is_to_group t.routes p in
  if p.protocol = Ipv4.protocol_tcp then (if not (group || link_group) then tcp_input t p ~verified)
  else if is_for_dhcp t p then
    List.iter (fun d -> Dhcp.input d ~now p ~pseudo:(pseudo p ~verified)) t.dhcp
  else if p.protocol = Ipv4.protocol_udp then (
    if says_source p ~link_group then (
      if group then Stack_siblings.hand_to_all t p ~verified;
      Datagrams.udp_input t.datagrams ~now ~interface:t.came_by p ~pseudo:(pseudo p ~verified)
        ~group ~link_group))
  else
    let v4 = p.address_length = Ip.v4_length in
    if p.protocol = Ipv4.protocol_icmp && v4 then (
      if not (Icmp.is_request p) then Stack_siblings.hand_to_all t p ~verified;
      Datagrams.icmp_input t.datagrams ~now p)
    else if p.protocol = Ipv6.protocol_icmp && not v4 then icmpv6_input t ~now p ~whole
    else if p.protocol = Ipv4.protocol_igmp && v4 then (
      if group && link_group then (
        Stack_siblings.hand_to_all t p ~verified;
        membership_input t ~now p ~whole ~pseudo:0))
    else if v4 || p.protocol <> Ipv6.protocol_none then unknown_protocol t ~now p ~link_group

let malformed t = t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1

(* The sender gets the error that every host must report (RFC 8200 §4.2, RFC 4443 §3.4). *)
let refuse t ~now ~link_group b ~off ~len (report : Ipv6.report) =
  let p = t.packet in
  if Ipv6.read_fixed p b ~off ~len && Routes.accepts t.routes p then
    Control_queue.report t.control ~now ~to_group:report.to_group (Refused report) p ~link_group

(* What a host may not read, a router may have to pass on: only hop-by-hop options concern it
   (RFC 8200 §4). *)
let is_transit t b ~off ~len =
  let p = t.packet in
  Option.is_some t.forwarding && Ipv6.read_fixed p b ~off ~len
  && Ipv6.shortest + p.payload_length <= len
  && not (Routes.accepts t.routes p)

let pass_on t f ~now ~link_group (report : Ipv6.report option) =
  if t.packet.protocol <> Ipv6.hop_by_hop then
    Forwarding.input f ~now ~interface:t.came_by t.packet ~frame:t.frame_in ~link_group
  else (
    malformed t;
    Option.iter (fun r -> Forwarding.refused f ~now r t.packet ~link_group) report)

let read_v6 t ~now ~link_group b ~off ~len =
  match Ipv6.read t.packet b ~off ~len with
  | Ok () -> true
  | Error { report; _ } ->
      (match t.forwarding with
      | Some f when is_transit t b ~off ~len -> pass_on t f ~now ~link_group report
      | _ ->
          malformed t;
          Option.iter (refuse t ~now ~link_group b ~off ~len) report);
      false

let read_v4 t b ~off ~len =
  match Ipv4.read t.packet b ~off ~len with
  | Ok () -> true
  | Error _ ->
      malformed t;
      false

let is_v4_at b ~off = Bytes.get_uint8 b off lsr 4 = 4

let reassembled t ~now ~link_group whole =
  let len = Bytes.length whole in
  if
    if is_v4_at whole ~off:0 then read_v4 t whole ~off:0 ~len
    else read_v6 t ~now ~link_group whole ~off:0 ~len
  then
    (* The link verified single frames only: the checksum of the whole datagram is verified here. *)
    if Packet.is_fragment t.packet then malformed t
    else deliver t ~now t.packet ~verified:false ~link_group ~whole:false

let not_ours t ~now (p : Packet.t) ~link_group =
  match t.forwarding with
  | Some f -> Forwarding.input f ~now ~interface:t.came_by p ~frame:t.frame_in ~link_group
  | None -> t.counters.ip_in_not_ours <- t.counters.ip_in_not_ours + 1

(* The packet that was just read. *)
let packet_input t ~now ~looped ~link_group ~verified ~segment_size =
  let p = t.packet in
  p.segment_size <- segment_size;
  if not (looped || Routes.accepts t.routes p || is_for_dhcp t p) then not_ours t ~now p ~link_group
  else if not (Packet.is_fragment p) then deliver t ~now p ~verified ~link_group ~whole:true
  else
    match Reassembly.input t.reassembly ~now p with
    | Pending | Dropped -> ()
    | Complete whole -> reassembled t ~now ~link_group whole

let ipv4_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len =
  t.counters.ip_in <- t.counters.ip_in + 1;
  t.link_group <- link_group;
  if read_v4 t b ~off ~len then packet_input t ~now ~looped ~link_group ~verified ~segment_size

let ipv6_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len =
  t.counters.ip_in <- t.counters.ip_in + 1;
  t.link_group <- link_group;
  if read_v6 t ~now ~link_group b ~off ~len then
    packet_input t ~now ~looped ~link_group ~verified ~segment_size

let ip_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len =
  if len > 0 && is_v4_at b ~off then
    ipv4_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len
  else ipv6_input t ~now ~looped ~link_group ~verified ~segment_size b ~off ~len

(* -- fragments that did not all come ------------------------------------- *)

let report_timeout t ~now first =
  let p = t.packet and len = Bytes.length first in
  if
    if is_v4_at first ~off:0 then Result.is_ok (Ipv4.read_quoted p first ~off:0 ~len)
    else Result.is_ok (Ipv6.read_quoted p first ~off:0 ~len)
  then Control_queue.report t.control ~now Reassembly_timed_out p ~link_group:false

let tick t ~now =
  if Reassembly.deadline t.reassembly <= now then
    List.iter (report_timeout t ~now) (Reassembly.tick t.reassembly ~now)

(* -- Ethernet ------------------------------------------------------------ *)

let arp_input t (i : Interface.t) ~now b ~off ~len =
  match Arp.decode b ~off ~len with
  | Error _ -> t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  | Ok arp ->
      (match t.siblings with
      | Some s when t.hops = 0 && arp.operation = Reply ->
          let bytes = Bytes.sub b off Arp.length in
          Siblings.to_all s
            { bytes; arp = true; verified = true; segment_size = 0; link_group = true; hops = 0 }
      | _ -> ());
      List.iter (fun d -> if Dhcp.interface d == i then Dhcp.heard d ~now arp) t.dhcp;
      List.iter
        (fun p -> ignore (Control_queue.push t.control p))
        (Neighbours.input i.neighbours ~now arp);
      Option.iter (Control_queue.push_neighbour t.control i) (Neighbours.reply i.neighbours arp)

(* The IP address decides whether this host belongs to the group. *)
let[@inline never] v6_frame t ~now (i : Interface.t) ~dst ~verified ~segment_size b ~off ~len =
  let link_group = Mac.is_group dst in
  if link_group || Mac.equal dst i.mac then (
    t.came_by <- i.number;
    ipv6_input t ~now ~looped:false ~link_group ~verified ~segment_size b ~off ~len)

(* As for IPv6; the group of all hosts' ARP is the broadcast address. *)
let[@inline never] v4_group_frame t ~now (i : Interface.t) ~dst ~ethertype ~verified ~segment_size b
    ~off ~len =
  if ethertype = Ethernet.ethertype_ipv4 then (
    t.came_by <- i.number;
    ipv4_input t ~now ~looped:false ~link_group:true ~verified ~segment_size b ~off ~len)
  else if ethertype = Ethernet.ethertype_arp && Mac.equal dst Mac.broadcast then
    arp_input t i ~now b ~off ~len

let[@inline] host_input t ~now ~interface (frame : Frame.t) =
  advance t ~now;
  let { Frame.data = b; off; len; checksum; segment_size; _ } = frame in
  let verified = checksum <> Unverified in
  t.hops <- 0;
  if len < ethernet then t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  else
    let i = Routes.interface t.routes interface in
    let dst = Ethernet.get_dst b ~off and ethertype = Ethernet.get_ethertype b ~off in
    let off = off + ethernet and len = len - ethernet in
    t.mtu_in <- i.mtu;
    if ethertype = Ethernet.ethertype_ipv6 then
      v6_frame t ~now i ~dst ~verified ~segment_size b ~off ~len
    else if Mac.equal dst i.mac then (
      if ethertype = Ethernet.ethertype_ipv4 then
        ipv4_input t ~now ~looped:false ~link_group:false ~verified ~segment_size b ~off ~len
      else if ethertype = Ethernet.ethertype_arp then arp_input t i ~now b ~off ~len)
    else if Mac.is_group dst then
      v4_group_frame t ~now i ~dst ~ethertype ~verified ~segment_size b ~off ~len

let[@inline never] router_input t ~now ~interface frame =
  t.frame_in <- frame;
  host_input t ~now ~interface frame

(* Two functions, because only a router needs the frame after it was read. *)
let input t ~now ~interface frame =
  if Option.is_some t.forwarding then router_input t ~now ~interface frame
  else host_input t ~now ~interface frame

let take t ~now (h : Siblings.packet) =
  advance t ~now;
  let i = Routes.interface t.routes 0 and len = Bytes.length h.bytes in
  t.mtu_in <- i.mtu;
  t.hops <- h.hops;
  if h.arp then arp_input t i ~now h.bytes ~off:0 ~len
  else (
    t.came_by <- 0;
    ip_input t ~now ~looped:false ~link_group:h.link_group ~verified:h.verified
      ~segment_size:h.segment_size h.bytes ~off:0 ~len)
