open Weir_base
open Stack_state
module Ip = Weir_wire.Ip
module Mac = Weir_wire.Mac
module Ethernet = Weir_wire.Ethernet
module Ipv4 = Weir_wire.Ipv4
module Ipv6 = Weir_wire.Ipv6
module Segmentation = Weir_wire.Segmentation

let ethernet = Ethernet.length

(* Of IPv6 and TCP, options included. *)
let longest_headers = Ipv6.shortest + 60
let stays = -1
let ethertype_of dst = if Ip.is_v4 dst then Ethernet.ethertype_ipv4 else Ethernet.ethertype_ipv6

let write_ethernet (i : Interface.t) b ~mac ethertype =
  Ethernet.write b ~off:0 ~dst:mac ~src:i.mac ethertype;
  i.number

(* A packet that cannot be sent: a connection attempt of TCP fails now instead of after a minute. A
   router's ICMP error may be temporary, but here there is no route or no answer on the link. *)
let undeliverable t ~now frame ~dst =
  let theirs =
    match t.forwarding with
    | Some f -> Forwarding.undeliverable f ~now frame ~off:ethernet ~v4:(Ip.is_v4 dst)
    | None -> false
  in
  let p = t.packet in
  let len = Bytes.length frame - ethernet in
  if
    (not theirs)
    &&
    if Ip.is_v4 dst then Result.is_ok (Ipv4.read_quoted p frame ~off:ethernet ~len)
    else Result.is_ok (Ipv6.read_quoted p frame ~off:ethernet ~len)
  then
    Datagrams.icmp_error t.datagrams (Icmp_error.host_unreachable dst) ~hard:true frame
      ~off:ethernet
      ~len:(p.payload_at + p.payload_length - ethernet)

(* The source address of the packet in [b]. *)
let source_in b ~dst =
  let length = Ip.length dst in
  Ip.get b (ethernet + if Ip.is_v4 dst then 12 else 8) ~length

(* To a link's broadcast, or the group of hosts that a multicast is for (RFC 1112
   §6.4), by the interface whose address it is from. *)
let to_group t b ~mac ~dst =
  write_ethernet (Routes.interface_of_source t.routes (source_in b ~dst)) b ~mac (ethertype_of dst)

(* A link-local address may exist on every link: the packet's source decides the link (RFC 4007 §6). *)
let is_ambiguous t dst =
  (not (Ip.is_v4 dst)) && Ip.is_link_local dst && Array.length (Routes.interfaces t.routes) > 1

(* A frame of several segments in [b] that has to wait, or that the link does not take: its segments
   are queued, so that they are bounded in number and bytes as all packets. *)
let queue_segments t b n ~dst =
  Ethernet.write b ~off:0 ~dst:Mac.broadcast ~src:Mac.broadcast (ethertype_of dst);
  let whole = Frame.alloc (Frame.pool ~keep:0 ~size:(ethernet + n) ()) in
  Bytes.blit b 0 whole.data 0 (ethernet + n);
  Frame.set whole ~off:0 ~len:(ethernet + n);
  Frame.set_checksum whole t.checksum;
  Frame.set_segment_size whole t.segment_size;
  let size = ethernet + Int.min n (t.segment_size + longest_headers) in
  let push (s : Frame.t) =
    let p = Outgoing.plain (Bytes.sub s.data s.off s.len) ~len:s.len ~dst Routed in
    ignore (Control_queue.push t.control { p with checksum = s.checksum } : bool);
    Frame.release s
  in
  if not (Segmentation.cut (Frame.pool ~keep:0 ~size ()) whole push) then
    t.counters.control_dropped <- t.counters.control_dropped + 1;
  Frame.release whole

let to_neighbour t ~now b n (route : Routes.route) ~dst =
  let i = Routes.interface t.routes route.interface and hop = Routes.next_hop route dst in
  let mac = Neighbours.lookup i.neighbours ~now hop in
  if t.segment_size > 0 && (mac < 0 || n > (Offload.of_family i.offload dst).longest) then (
    queue_segments t b n ~dst;
    stays)
  else if n > i.mtu && t.segment_size = 0 then (
    Control_queue.fragment t.control ~mtu:i.mtu ~dst b ~len:n;
    stays)
  else if mac >= 0 then (
    let generation = Routes.generation t.routes in
    let neighbour = Neighbours.neighbour i.neighbours hop and ethertype = ethertype_of dst in
    if not (is_ambiguous t dst) then
      t.last <- Some { dst; generation; ethertype; interface = i; neighbour };
    write_ethernet i b ~mac:(Mac.of_int mac) ethertype)
  else
    let frame = Bytes.sub b 0 (ethernet + n) in
    let packet =
      { (Outgoing.plain frame ~len:(ethernet + n) ~dst Routed) with checksum = t.checksum }
    in
    (match Neighbours.wait i.neighbours ~now hop packet with
    | Ask request -> Control_queue.push_neighbour t.control i request
    | Wait -> ()
    | Unreachable -> undeliverable t ~now frame ~dst);
    stays

let find_route t ~now b n ~dst =
  (* A packet that loops back to this host must not be handed to a sibling. *)
  t.hops <- Siblings.no_more;
  let tail = Tcp.last_tail t.tcp in
  if tail > 0 then Tcp.copy_tail t.tcp b ~off:(ethernet + n - tail);
  if Routes.is_local t.routes dst then (
    let segment_size = t.segment_size in
    Stack_input.ip_input t ~now ~looped:true ~link_group:false ~verified:true ~segment_size b
      ~off:ethernet ~len:n;
    stays)
  else if Routes.is_broadcast t.routes dst then (
    (* A broadcast is for this host too. *)
    Stack_input.ipv4_input t ~now ~looped:true ~link_group:true ~verified:true ~segment_size:0 b
      ~off:ethernet ~len:n;
    to_group t b ~mac:Mac.broadcast ~dst)
  else if Ip.is_multicast dst then to_group t b ~mac:(Ip.group_mac dst) ~dst
  else
    let route =
      if is_ambiguous t dst then Routes.find_from t.routes ~src:(source_in b ~dst) dst
      else Routes.find t.routes dst
    in
    if Routes.leads route then to_neighbour t ~now b n route ~dst
    else (
      undeliverable t ~now (Bytes.sub b 0 (ethernet + n)) ~dst;
      stays)

(* Routes the packet of [n] bytes in [b] and writes its Ethernet header: the number of the interface
   that sends it, or [stays]. Segments go in bursts to one host: the cached route is valid until a route, an address or the
   neighbour changes. *)
let route t ~now b n ~dst =
  match t.last with
  | Some last
    when Ip.equal dst last.dst
         && last.generation = Routes.generation t.routes
         && (n <= last.interface.mtu || t.segment_size > 0) ->
      let mac = Neighbours.mac last.interface.neighbours ~now last.neighbour in
      if mac >= 0 then write_ethernet last.interface b ~mac:(Mac.of_int mac) last.ethertype
      else find_route t ~now b n ~dst
  | _ -> find_route t ~now b n ~dst

(* Writes the next frame to [b], and says by which interface it leaves. *)
let rec next_frame t ~now b =
  if not (Control_queue.is_empty t.control) then
    let p = Control_queue.pop t.control in
    if p.frame_len > Bytes.length b then (
      (* No link is as long any more. *)
      t.counters.control_dropped <- t.counters.control_dropped + 1;
      next_frame t ~now b)
    else (
      Bytes.blit p.frame 0 b 0 p.frame_len;
      Control_queue.recycle t.control p;
      t.checksum <- p.checksum;
      t.segment_size <- 0;
      match p.via with
      | On interface ->
          t.length <- p.frame_len;
          interface
      | Routed -> leave t ~now b (p.frame_len - ethernet) ~dst:p.dst)
  else
    let n = Tcp.next_segment t.tcp b ~off:ethernet in
    if n = 0 then stays
    else
      let dst = Tcp.last_dst t.tcp in
      t.checksum <- (if Tcp.last_is_partial t.tcp then Partial else Unverified);
      t.segment_size <- Tcp.last_segment_size t.tcp;
      let header =
        Control_queue.write_tcp t.control b ~src:(Tcp.last_src t.tcp) ~dst ~data_length:n
          ~ecn:(Tcp.last_ecn t.tcp)
      in
      leave t ~now b (header + n) ~dst

and leave t ~now b n ~dst =
  let interface = route t ~now b n ~dst in
  if interface = stays then next_frame t ~now b
  else (
    t.counters.ip_out <- t.counters.ip_out + 1;
    t.length <- ethernet + n;
    interface)

let transmit t ~now (frame : Frame.t) =
  advance t ~now;
  Tcp.forget_tail t.tcp;
  let interface = next_frame t ~now frame.data in
  if interface <> stays then (
    let tail = Tcp.last_tail t.tcp in
    Frame.set frame ~off:0 ~len:(t.length - tail);
    if tail > 0 then Tcp.give_tail t.tcp frame;
    Frame.set_checksum frame t.checksum;
    Frame.set_segment_size frame t.segment_size);
  interface

let next_length t =
  if Control_queue.is_empty t.control then ethernet + Ipv4.shortest + Tcp.longest_next t.tcp
  else Control_queue.next_length t.control

let nothing_waits t =
  Control_queue.is_empty t.control
  && Array.for_all
       (fun (i : Interface.t) -> Neighbours.waiting i.neighbours = 0)
       (Routes.interfaces t.routes)
