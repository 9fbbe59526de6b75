open Weir_base
module Ip4 = Weir_wire.Ip4
module Mac = Weir_wire.Mac
module Ethernet = Weir_wire.Ethernet
module Arp = Weir_wire.Arp
module Ipv4 = Weir_wire.Ipv4

type settings = {
  mac : Mac.t;
  address : Ipaddr.V4.t;
  prefix : Ipaddr.V4.Prefix.t;
  gateway : Ipaddr.V4.t option;
  mtu : int;
  config : Config.t;
}

type pong = Datagrams.pong = {
  from : Ip4.t;
  identifier : int;
  sequence : int;
  data_length : int;
  ttl : int;
  outcome : (unit, string) result;
}

type event =
  | Nothing
  | Connection of Tcp.connection
  | Listener of Tcp.listener
  | Datagram of Udp_sockets.socket
  | Pong of pong

type t = {
  settings : settings;
  address : Ip4.t;
  counters : Counters.t;
  routes : Routes.t;
  neighbours : Control_queue.outgoing Neighbours.t;
  control : Control_queue.t;
  reassembly : Reassembly.t;
  tcp : Tcp.t;
  datagrams : Datagrams.t;
  ready : event Fifo.t;  (** of datagrams *)
}

let settings t = t.settings
let counters t = t.counters
let tcp t = t.tcp
let udp t = Datagrams.sockets t.datagrams
let ethernet = Ethernet.length
let ip_length = 20
let is_local t = Datagrams.is_local t.datagrams

let advance t ~now =
  let shared = Tcp.shared t.tcp in
  if now > shared.now then shared.now <- now

let check_mtu mtu =
  if mtu < 576 || mtu > 65_535 then invalid_arg "Stack.create: the MTU must be 576 to 65535 bytes"

let create (settings : settings) ~random ~now =
  check_mtu settings.mtu;
  let counters = Counters.create () in
  let address = Ip4.of_ipaddr settings.address in
  let routes =
    Routes.create ~address
      ~prefix_length:(Ipaddr.V4.Prefix.bits settings.prefix)
      ?gateway:(Option.map Ip4.of_ipaddr settings.gateway)
      ()
  in
  let control =
    Control_queue.create ~mac:settings.mac ~address ~mtu:settings.mtu counters routes random
  in
  let tcp =
    Tcp.create settings.config counters random ~reply:(Control_queue.push_segment control)
  in
  let ready = Fifo.create ~dummy:Nothing in
  let t =
    {
      settings;
      address;
      counters;
      routes;
      control;
      neighbours = Neighbours.create random ~mac:settings.mac ~address;
      reassembly = Reassembly.create ();
      tcp;
      datagrams =
        Datagrams.create ~address counters routes control tcp random ~ready:(fun socket ->
            Fifo.push ready (Datagram socket));
      ready;
    }
  in
  advance t ~now;
  t

(* -- transports ---------------------------------------------------------- *)

let pseudo (h : Ipv4.t) ~verified ~len =
  if verified then -1 else Ip4.pseudo_sum ~src:h.src ~dst:h.dst ~protocol:h.protocol ~length:len

let mss t = t.settings.mtu - 40

let tcp_input t (h : Ipv4.t) ~verified b ~off ~len =
  match Segment.decode ~pseudo:(pseudo h ~verified ~len) b ~off ~len with
  | Error _ -> t.counters.tcp_in_malformed <- t.counters.tcp_in_malformed + 1
  | Ok segment ->
      Tcp.input t.tcp ~src:h.src ~dst:h.dst ~mss:(mss t) segment b
        ~data:(off + segment.header_length)

(* -- IPv4 ---------------------------------------------------------------- *)

let deliver t ~now (h : Ipv4.t) ~verified ~link_group b ~ip_off ~off ~len =
  let group = Routes.is_broadcast t.routes h.dst in
  if h.protocol = Ipv4.protocol_tcp then (
    if not (group || link_group) then tcp_input t h ~verified b ~off ~len)
  else if h.protocol = Ipv4.protocol_udp then
    Datagrams.udp_input t.datagrams ~now h ~pseudo:(pseudo h ~verified ~len) ~group ~link_group b
      ~ip_off ~off ~len
  else if h.protocol = Ipv4.protocol_icmp then Datagrams.icmp_input t.datagrams h b ~off ~len
  else (
    t.counters.ip_in_unknown_protocol <- t.counters.ip_in_unknown_protocol + 1;
    Control_queue.report t.control ~now (Unreachable Protocol) h ~link_group b ~off:ip_off)

let ours t ~looped (h : Ipv4.t) =
  if looped then true
  else
    (Ip4.equal h.dst t.address || Routes.is_broadcast t.routes h.dst)
    && (not (Ip4.is_loopback h.dst))
    && Routes.is_source t.routes h.src

let reassembled t ~now ~link_group packet =
  match Ipv4.decode packet ~off:0 ~len:(Bytes.length packet) with
  | Error _ -> t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  | Ok h ->
      (* The link's word is for single frames: a whole datagram is summed. *)
      deliver t ~now h ~verified:false ~link_group packet ~ip_off:0 ~off:h.header_length
        ~len:h.data_length

let ipv4_input t ~now ~looped ~link_group ~verified b ~off ~len =
  t.counters.ip_in <- t.counters.ip_in + 1;
  match Ipv4.decode b ~off ~len with
  | Error _ -> t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  | Ok h -> (
      let data = off + h.header_length in
      if not (ours t ~looped h) then t.counters.ip_in_not_ours <- t.counters.ip_in_not_ours + 1
      else if not (Ipv4.is_fragment h) then
        deliver t ~now h ~verified ~link_group b ~ip_off:off ~off:data ~len:h.data_length
      else
        match Reassembly.input t.reassembly ~now h b ~data with
        | Pending | Dropped -> ()
        | Complete packet -> reassembled t ~now ~link_group packet)

(* -- Ethernet ------------------------------------------------------------ *)

let arp_input t ~now b ~off ~len =
  match Arp.decode b ~off ~len with
  | Error _ -> t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  | Ok arp ->
      List.iter
        (fun p -> ignore (Control_queue.push t.control p))
        (Neighbours.input t.neighbours ~now arp);
      Option.iter (Control_queue.push_arp t.control) (Neighbours.reply t.neighbours arp)

let input t ~now (frame : Frame.t) =
  advance t ~now;
  let { Frame.data = b; off; len; checksum; _ } = frame in
  let verified = checksum <> Unverified in
  match Ethernet.decode b ~off ~len with
  | Error _ -> t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1
  | Ok e ->
      if Mac.equal e.dst t.settings.mac || Mac.equal e.dst Mac.broadcast then
        let off = off + ethernet and len = len - ethernet in
        if e.ethertype = Ethernet.ethertype_ipv4 then
          ipv4_input t ~now ~looped:false ~link_group:(Mac.is_group e.dst) ~verified b ~off ~len
        else if e.ethertype = Ethernet.ethertype_arp then arp_input t ~now b ~off ~len

(* -- sending ------------------------------------------------------------- *)

let write_ethernet t b ~dst =
  Ethernet.emit { dst; src = t.settings.mac; ethertype = Ethernet.ethertype_ipv4 } b ~off:0

(* A packet that cannot be sent: TCP's connection attempts learn of it now
   instead of after a minute. What a router says so may be passing; here there
   is no route, or nobody on the link answers. *)
let undeliverable t frame =
  match Ipv4.decode_quoted frame ~off:ethernet ~len:(Bytes.length frame - ethernet) with
  | Error _ -> ()
  | Ok h ->
      Datagrams.icmp_error t.datagrams
        (Destination_unreachable { code = Host; rest = 0; data_length = 0 })
        ~hard:true frame ~off:ethernet ~len:(h.header_length + h.data_length)

(* Where the IPv4 packet of [n] bytes in [b], behind the Ethernet header's
   place, goes: true if it is now a frame to be sent. *)
let route t ~now b n ~dst =
  if Ip4.equal dst t.address || Ip4.is_loopback dst then (
    ipv4_input t ~now ~looped:true ~link_group:false ~verified:true b ~off:ethernet ~len:n;
    false)
  else if Routes.is_broadcast t.routes dst then (
    (* This host is one of all. *)
    ipv4_input t ~now ~looped:true ~link_group:true ~verified:true b ~off:ethernet ~len:n;
    write_ethernet t b ~dst:Mac.broadcast;
    true)
  else if Ip4.is_multicast dst then (
    (* RFC 1112 §6.4 *)
    write_ethernet t b ~dst:(Mac.of_int (0x01005e000000 lor ((dst :> int) land 0x7f_ffff)));
    true)
  else
    let hop = Routes.next_hop t.routes dst in
    if Ip4.equal hop Ip4.any then (
      undeliverable t (Bytes.sub b 0 (ethernet + n));
      false)
    else
      let mac = Neighbours.lookup t.neighbours ~now hop in
      if mac >= 0 then (
        write_ethernet t b ~dst:(Mac.of_int mac);
        true)
      else
        let frame = Bytes.sub b 0 (ethernet + n) in
        (match Neighbours.wait t.neighbours ~now hop { frame; frame_len = ethernet + n; dst } with
        | Ask request -> Control_queue.push_arp t.control request
        | Wait -> ()
        | Unreachable -> undeliverable t frame);
        false

let rec next_frame t ~now b =
  if not (Control_queue.is_empty t.control) then (
    let p = Control_queue.pop t.control in
    Bytes.blit p.frame 0 b 0 p.frame_len;
    Control_queue.recycle t.control p;
    if Ip4.equal p.dst Ip4.any then p.frame_len
    else if route t ~now b (p.frame_len - ethernet) ~dst:p.dst then sent t p.frame_len
    else next_frame t ~now b)
  else
    let n = Tcp.next_segment t.tcp b ~off:(ethernet + ip_length) in
    if n = 0 then 0
    else
      let dst = Tcp.last_dst t.tcp in
      Control_queue.write_ip t.control b ~src:(Tcp.last_src t.tcp) ~dst ~protocol:Ipv4.protocol_tcp
        ~data_length:n;
      if route t ~now b (ip_length + n) ~dst then sent t (ethernet + ip_length + n)
      else next_frame t ~now b

and sent t n =
  t.counters.ip_out <- t.counters.ip_out + 1;
  n

let transmit t ~now (frame : Frame.t) =
  advance t ~now;
  let n = next_frame t ~now frame.data in
  Frame.set frame ~off:0 ~len:n;
  n > 0

let nothing_waits t = Control_queue.is_empty t.control && Neighbours.waiting t.neighbours = 0

(* -- time and events ----------------------------------------------------- *)

let neighbour_action t (action : Control_queue.outgoing Neighbours.action) =
  match action with
  | Request r -> Control_queue.push_arp t.control r
  | Failed { packets; _ } ->
      List.iter (fun (p : Control_queue.outgoing) -> undeliverable t p.frame) packets

let tick t ~now =
  advance t ~now;
  Tcp.tick t.tcp;
  if Neighbours.deadline t.neighbours <= now then
    List.iter (neighbour_action t) (Neighbours.tick t.neighbours ~now);
  if Reassembly.deadline t.reassembly <= now then
    List.iter
      (fun first ->
        match Ipv4.decode_quoted first ~off:0 ~len:(Bytes.length first) with
        | Error _ -> ()
        | Ok h ->
            Control_queue.report t.control ~now Reassembly_timed_out h ~link_group:false first
              ~off:0)
      (Reassembly.tick t.reassembly ~now)

let deadline t =
  Int.min (Tcp.deadline t.tcp)
    (Int.min (Neighbours.deadline t.neighbours) (Reassembly.deadline t.reassembly))

let event t =
  let ready = (Tcp.shared t.tcp).ready in
  if not (Fifo.is_empty ready) then
    match Fifo.pop ready with
    | Tcb.Connection c ->
        c.in_ready <- false;
        Connection c
    | Listener l ->
        l.l_in_ready <- false;
        Listener l
    | Nothing -> Nothing
  else if not (Fifo.is_empty t.ready) then (
    let e = Fifo.pop t.ready in
    (match e with Datagram s -> Udp_sockets.heard s | _ -> ());
    e)
  else match Datagrams.pong t.datagrams with Some p -> Pong p | None -> Nothing

(* -- user calls ---------------------------------------------------------- *)

let connect t ~now ?(local = Ipaddr.V4.any) ?(local_port = 0) dst ~port =
  advance t ~now;
  let dst = Ip4.of_ipaddr dst and local = Ip4.of_ipaddr local in
  let dst = if Ip4.equal dst Ip4.any then t.address else dst in
  let local = if Ip4.equal local Ip4.any then Datagrams.source_for t.datagrams dst else local in
  if Ip4.is_multicast dst || Routes.is_broadcast t.routes dst || port < 1 || port > 65_535 then
    Error `Bad_address
  else if not (Datagrams.has_route t.datagrams dst) then Error `No_route
  else
    (Tcp.connect t.tcp ~local ~local_port ~remote:dst ~remote_port:port ~mss:(mss t)
      :> (_, [ `In_use | `No_port | `No_route | `Bad_address ]) result)

let close_sockets t =
  Tcp.close_listeners t.tcp;
  List.iter
    (fun socket ->
      Udp_sockets.close (udp t) socket;
      Datagrams.tell t.datagrams socket)
    (Udp_sockets.to_list (udp t))

let bind_udp ?share t = Datagrams.bind ?share t.datagrams

let send_udp ?ttl ?broadcast t ~now socket ~dst ~dst_port b ~off ~len =
  advance t ~now;
  Datagrams.send ?ttl ?broadcast t.datagrams socket ~dst ~dst_port b ~off ~len

let source_for t dst = Ip4.to_ipaddr (Datagrams.source_for t.datagrams (Ip4.of_ipaddr dst))

let send_ip ?ttl ?dont_fragment t ~now dst ~protocol b ~off ~len =
  advance t ~now;
  Datagrams.send_ip ?ttl ?dont_fragment t.datagrams ~mtu:t.settings.mtu dst ~protocol b ~off ~len

let ping t ~now dst ~identifier ~sequence ~data_length =
  advance t ~now;
  Datagrams.ping t.datagrams dst ~identifier ~sequence ~data_length
