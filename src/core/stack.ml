open Weir_base
module Ip = Weir_wire.Ip
module Mac = Weir_wire.Mac
module Ethernet = Weir_wire.Ethernet
module Arp = Weir_wire.Arp
module Packet = Weir_wire.Packet
module Ipv4 = Weir_wire.Ipv4
module Ipv6 = Weir_wire.Ipv6
module Icmpv6 = Weir_wire.Icmpv6

type settings = {
  mac : Mac.t;
  addresses : Ipaddr.Prefix.t list;
  gateways : Ipaddr.t list;
  mtu : int;
  secret : Stable_address.secret;
  config : Config.t;
}

type pong = Datagrams.pong = {
  from : Ip.t;
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
  | Configuration of Dhcp.t
  | Advertised of Autoconf.t

(* Cached route and neighbour of the last packet to another host. *)
type last = {
  dst : Ip.t;
  generation : int;  (** of the routes *)
  ethertype : int;
  interface : Interface.t;
  neighbour : Outgoing.t Neighbours.neighbour;
}

type t = {
  config : Config.t;
  random : Random.State.t;
  counters : Counters.t;
  routes : Routes.t;  (** and interfaces *)
  paths : Paths.t;
  control : Control_queue.t;
  reassembly : Reassembly.t;
  tcp : Tcp.t;
  datagrams : Datagrams.t;
  dad : Dad.t;
  discovery : Discovery.t;
  ready : event Fifo.t;  (** of datagrams *)
  packet : Packet.t;  (** that is being read *)
  segment : Segment.t;  (** in it *)
  mutable last : last option;
  mutable length : int;  (** of the frame that is being transmitted *)
  mutable checksum : Frame.checksum;  (** in that frame *)
  mutable segment_size : int;  (** for which that frame stands *)
  mutable mtu_in : int;  (** of the interface by which the frame came that is being read *)
  mutable came_by : int;  (** its number, if the packet is one of IPv6 *)
  mutable siblings : Siblings.t option;
  mutable forwarding : Forwarding.t option;  (** of a router *)
  mutable frame_in : Frame.t;  (** that is being read *)
  mutable hops : int;  (** how often the packet that is being read was handed on *)
  mutable link_group : bool;  (** its frame was a broadcast *)
  mutable dhcp : Dhcp.t list;  (** one for an interface *)
}

let config t = t.config
let routes t = t.routes
let counters t = t.counters
let tcp t = t.tcp
let udp t = Datagrams.sockets t.datagrams
let ethernet = Ethernet.length
let ip a = Ip.unmapped (Ip.of_ipaddr a)
let is_local t a = Routes.is_local t.routes (ip a)

let address t =
  let v4 = Routes.source_for t.routes Ip.any in
  Ip.to_ipaddr (if Ip.is_any v4 then Routes.source_for t.routes Ip.any_v6 else v4)

let has_source t dst = not (Ip.is_any (Routes.source_for t.routes (ip dst)))
let has_route t dst = Datagrams.has_route t.datagrams (ip dst)
let mtu_to t dst = Routes.mtu t.routes (ip dst)
let path_mtu t dst = Datagrams.path_mtu t.datagrams (ip dst)
let max_mtu t = Routes.longest_mtu t.routes
let advance t ~now = Tcp.advance t.tcp ~now

(* -- interfaces ---------------------------------------------------------- *)

let add_interface t ~mac ~mtu =
  let i = Routes.add_interface t.routes t.random ~mac ~mtu in
  Control_queue.set_mtu t.control (Routes.longest_mtu t.routes);
  if Interface.takes_v6 i then Dad.add_stable t.dad i Stable_address.link_local;
  i

let interface t number = Routes.interface t.routes number
let set_transparent t on = Routes.set_transparent t.routes on
let set_offload t i offload = Routes.set_offload t.routes i offload

let add_address t ?state ?preferred_until ?valid_until i prefix =
  Dad.add t.dad i ?state ?preferred_until ?valid_until
    (Ip.of_ipaddr (Ipaddr.Prefix.address prefix))
    ~prefix_length:(Ipaddr.Prefix.bits prefix)

let remove_address t i a = Dad.remove t.dad i (ip a)
let is_settling t = Dad.is_settling t.dad
let duplicates t = List.map Ip.to_ipaddr (Dad.duplicates t.dad)

let add_route t prefix ~gateway =
  Routes.add t.routes
    ~network:(Ip.of_ipaddr (Ipaddr.Prefix.network prefix))
    ~prefix_length:(Ipaddr.Prefix.bits prefix) ~gateway:(Ip.of_ipaddr gateway)

let everything (gateway : Ipaddr.t) : Ipaddr.Prefix.t =
  match gateway with
  | V4 _ -> V4 Ipaddr.V4.Prefix.global
  | V6 _ -> V6 (Ipaddr.V6.Prefix.make 0 Ipaddr.V6.unspecified)

let configure t (settings : settings) =
  let i = add_interface t ~mac:settings.mac ~mtu:settings.mtu in
  List.iter (add_address t i) settings.addresses;
  List.iter
    (fun gateway ->
      match add_route t (everything gateway) ~gateway with
      | Ok () -> ()
      | Error why -> invalid_arg ("Stack.create: " ^ why))
    settings.gateways

let create (settings : settings) ~random ~now =
  let { secret; mtu; config; _ } = settings in
  let counters = Counters.create () and routes = Routes.create () in
  let paths =
    Paths.create ~secret:(Random.State.bits (Public_random.make (Random.State.copy random)))
  in
  let control = Control_queue.create counters routes paths random in
  let tcp = Tcp.create config counters random ~reply:(Control_queue.push_segment control) in
  Tcp.set_paths tcp
    {
      generation = (fun () -> Routes.generation routes);
      changed = (fun () -> Routes.changed routes);
      offload = (fun dst -> Routes.offload routes dst);
      link_mtu = (fun dst -> Routes.mtu routes dst);
      table = paths;
    };
  let dad = Dad.create counters routes control ~secret ~transmits:config.dad_transmits in
  let ready = Fifo.create ~dummy:Nothing in
  let tell socket = Fifo.push ready (Datagram socket) in
  let datagrams = Datagrams.create counters routes paths control tcp random ~ready:tell in
  let t =
    {
      config;
      random;
      counters;
      routes;
      paths;
      control;
      reassembly = Reassembly.create ();
      tcp;
      datagrams;
      dad;
      discovery = Discovery.create counters routes control dad;
      ready;
      packet = Packet.create ();
      segment = Segment.create ();
      last = None;
      length = 0;
      checksum = Unverified;
      segment_size = 0;
      mtu_in = mtu;
      came_by = 0;
      siblings = None;
      forwarding = None;
      frame_in = Frame.none;
      hops = 0;
      link_group = false;
      dhcp = [];
    }
  in
  configure t settings;
  advance t ~now;
  t

(* -- DHCP ---------------------------------------------------------------- *)

let dhcp t (i : Interface.t) = List.find_opt (fun d -> (Dhcp.interface d).number = i.number) t.dhcp

let start_dhcp t ~now (i : Interface.t) config =
  if Option.is_some (dhcp t i) then invalid_arg "Stack.start_dhcp: it runs on this interface";
  advance t ~now;
  let ready d = Fifo.push t.ready (Configuration d) in
  let d = Dhcp.create config t.routes t.control t.random i ~now ~ready in
  t.dhcp <- d :: t.dhcp;
  d

let start_autoconf t ~now i =
  advance t ~now;
  let ready a = Fifo.push t.ready (Advertised a) in
  Discovery.start_autoconf t.discovery ~now i ~ready

let autoconf t = Discovery.autoconf t.discovery

let release_dhcp t ~now =
  advance t ~now;
  List.iter Dhcp.release t.dhcp

let is_for_dhcp t p = match t.dhcp with [] -> false | _ :: _ -> Dhcp.may_be_reply p

let rec tick_dhcp all ~now =
  match all with
  | [] -> ()
  | d :: rest ->
      Dhcp.tick d ~now;
      tick_dhcp rest ~now

let set_forwarding t on =
  t.forwarding <- (if on then Some (Forwarding.create t.counters t.routes t.control) else None)

(* -- packets for another host of this address ----------------------------- *)

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

(* Its checksum is verified by now. The last host of all has seen it when it is back here. *)
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

let set_siblings t s =
  t.siblings <- Some s;
  let ports = Tcp.ports t.tcp in
  ports.index <- s.Siblings.index;
  ports.of_ <- s.count;
  Tcp.set_stray t.tcp (hand_stray t);
  Datagrams.set_stray t.datagrams (hand_stray t)

(* -- transports ---------------------------------------------------------- *)

let pseudo p ~verified = if verified then -1 else Packet.pseudo_sum p
let mss_of mtu ~ip_header = mtu - ip_header - Weir_wire.Tcp.shortest

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

let icmpv6_input t ~now (p : Packet.t) ~whole =
  let { Packet.data = b; payload_at = off; payload_length = len; _ } = p in
  if not (Icmp.is_request p) then hand_to_all t p ~verified:false;
  match Icmpv6.decode ~pseudo:(Packet.pseudo_sum p) b ~off ~len with
  | Error _ -> t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1
  | Ok (Other { kind; _ }) when Weir_wire.Nd.is_type kind ->
      Discovery.input t.discovery ~now (Routes.interface t.routes t.came_by) p ~whole
  | Ok message -> Datagrams.icmpv6_input t.datagrams ~now p message

(* -- IP ------------------------------------------------------------------ *)

let unknown_protocol t ~now p ~link_group =
  t.counters.ip_in_unknown_protocol <- t.counters.ip_in_unknown_protocol + 1;
  Control_queue.report t.control ~now (Unreachable Protocol) p ~link_group

(* Only neighbour discovery uses packets from [::]. *)
let says_source (p : Packet.t) =
  p.address_length = Ip.v4_length || not (Ip.is_any_at p.data p.source_at ~length:p.address_length)

(* [whole]: it did not come in fragments. *)
let deliver t ~now (p : Packet.t) ~verified ~link_group ~whole =
  let group = Routes.is_to_group t.routes p in
  if p.protocol = Ipv4.protocol_tcp then (if not (group || link_group) then tcp_input t p ~verified)
  else if is_for_dhcp t p then
    List.iter (fun d -> Dhcp.input d ~now p ~pseudo:(pseudo p ~verified)) t.dhcp
  else if p.protocol = Ipv4.protocol_udp then (
    if says_source p then (
      if group then hand_to_all t p ~verified;
      Datagrams.udp_input t.datagrams ~now p ~pseudo:(pseudo p ~verified) ~group ~link_group))
  else
    let v4 = p.address_length = Ip.v4_length in
    if p.protocol = Ipv4.protocol_icmp && v4 then (
      if not (Icmp.is_request p) then hand_to_all t p ~verified;
      Datagrams.icmp_input t.datagrams p)
    else if p.protocol = Ipv6.protocol_icmp && not v4 then icmpv6_input t ~now p ~whole
    else if v4 || p.protocol <> Ipv6.protocol_none then unknown_protocol t ~now p ~link_group

let malformed t = t.counters.ip_in_malformed <- t.counters.ip_in_malformed + 1

(* Its sender is told what no host may ignore (RFC 8200 §4.2, RFC 4443 §3.4). *)
let refuse t ~now ~link_group b ~off ~len (report : Ipv6.report) =
  let p = t.packet in
  if Ipv6.read_fixed p b ~off ~len && Routes.accepts t.routes p then
    Control_queue.report t.control ~now ~to_group:report.to_group (Refused report) p ~link_group

let read_v6 t ~now ~link_group b ~off ~len =
  match Ipv6.read t.packet b ~off ~len with
  | Ok () -> true
  | Error { report; _ } ->
      malformed t;
      Option.iter (refuse t ~now ~link_group b ~off ~len) report;
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

(* Routers forward IPv4 only. *)
let not_ours t ~now (p : Packet.t) ~link_group =
  match t.forwarding with
  | Some f when p.address_length = Ip.v4_length ->
      Forwarding.input f ~now p ~frame:t.frame_in ~link_group
  | _ -> t.counters.ip_in_not_ours <- t.counters.ip_in_not_ours + 1

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

(* Which groups are this host's, the IP address tells. *)
let[@inline never] v6_frame t ~now (i : Interface.t) ~dst ~verified ~segment_size b ~off ~len =
  let link_group = Mac.is_group dst in
  if link_group || Mac.equal dst i.mac then (
    t.came_by <- i.number;
    ipv6_input t ~now ~looped:false ~link_group ~verified ~segment_size b ~off ~len)

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
    else if Mac.equal dst i.mac || Mac.equal dst Mac.broadcast then
      if ethertype = Ethernet.ethertype_ipv4 then
        ipv4_input t ~now ~looped:false ~link_group:(Mac.is_group dst) ~verified ~segment_size b
          ~off ~len
      else if ethertype = Ethernet.ethertype_arp then arp_input t i ~now b ~off ~len

let[@inline never] router_input t ~now ~interface frame =
  t.frame_in <- frame;
  host_input t ~now ~interface frame

(* Apart, so that a host does not keep the frame at hand for nothing. *)
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

(* -- sending ------------------------------------------------------------- *)

(* Routes the packet of [n] bytes in [b] and writes its Ethernet header: the number of the interface
   that sends it, or [stays]. *)
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
    | Some f when Ip.is_v4 dst -> Forwarding.undeliverable f ~now frame ~off:ethernet
    | _ -> false
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

(* An address that each link may have: the packet's source tells the link (RFC 4007 §6). *)
let is_ambiguous t dst =
  (not (Ip.is_v4 dst)) && Ip.is_link_local dst && Array.length (Routes.interfaces t.routes) > 1

let to_neighbour t ~now b n (route : Routes.route) ~dst =
  let i = Routes.interface t.routes route.interface and hop = Routes.next_hop route dst in
  let mac = Neighbours.lookup i.neighbours ~now hop in
  if
    t.segment_size > 0
    && (n > (Offload.of_family i.offload dst).longest
       || (mac < 0 && Neighbours.waiting i.neighbours > 0))
  then (
    (* Dropped: TCP sends it again in a form that the link allows. *)
    t.counters.control_dropped <- t.counters.control_dropped + 1;
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
    let { checksum; segment_size; _ } = t in
    let packet =
      { (Outgoing.plain frame ~len:(ethernet + n) ~dst Routed) with checksum; segment_size }
    in
    (match Neighbours.wait i.neighbours ~now hop packet with
    | Ask request -> Control_queue.push_neighbour t.control i request
    | Wait -> ()
    | Unreachable -> undeliverable t ~now frame ~dst);
    stays

let find_route t ~now b n ~dst =
  (* What comes back from here is this host's own. *)
  t.hops <- Siblings.no_more;
  let tail = Tcp.last_tail t.tcp in
  if tail > 0 then Tcp.copy_tail t.tcp b ~off:(ethernet + n - tail);
  if Routes.is_local t.routes dst then (
    let segment_size = t.segment_size in
    ip_input t ~now ~looped:true ~link_group:false ~verified:true ~segment_size b ~off:ethernet
      ~len:n;
    stays)
  else if Routes.is_broadcast t.routes dst then (
    (* A broadcast is for this host too. *)
    ipv4_input t ~now ~looped:true ~link_group:true ~verified:true ~segment_size:0 b ~off:ethernet
      ~len:n;
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

(* Segments go in bursts to one host: the cached route is valid until a route, an address or the
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
      (* A long frame that waited for its neighbour is dropped: TCP sends it again. *)
      t.counters.control_dropped <- t.counters.control_dropped + 1;
      next_frame t ~now b)
    else (
      Bytes.blit p.frame 0 b 0 p.frame_len;
      Control_queue.recycle t.control p;
      t.checksum <- p.checksum;
      t.segment_size <- p.segment_size;
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

let udp_queues t =
  List.fold_left
    (fun ({ used; limit } : Usage.gauge) s : Usage.gauge ->
      { used = used + Udp_sockets.queued_bytes s; limit = limit + Udp_sockets.buffer s })
    { used = 0; limit = 0 }
    (Udp_sockets.to_list (udp t))

(* Of all interfaces. *)
let neighbour_usage t count limit =
  Array.fold_left
    (fun ({ used; limit = sum } : Usage.gauge) (i : Interface.t) : Usage.gauge ->
      { used = used + count i.neighbours; limit = sum + limit (Neighbours.config i.neighbours) })
    { used = 0; limit = 0 } (Routes.interfaces t.routes)

let usage t : Usage.t =
  let budget = Tcp.budget t.tcp and fragments = Reassembly.config t.reassembly in
  {
    memory = { used = Budget.used budget; limit = Budget.limit budget };
    tcp = Tcp.usage t.tcp;
    udp_sockets = { used = Udp_sockets.length (udp t); limit = max_int };
    udp_queues = udp_queues t;
    neighbours = neighbour_usage t Neighbours.length (fun c -> c.max_entries);
    neighbour_packets = neighbour_usage t Neighbours.waiting (fun c -> c.max_waiting_total);
    reassembly = { used = Reassembly.length t.reassembly; limit = fragments.max_datagrams };
    reassembly_bytes = { used = Reassembly.bytes t.reassembly; limit = fragments.max_bytes };
    paths = { used = Paths.length t.paths; limit = Paths.most };
    control_queue = { used = Control_queue.length t.control; limit = Control_queue.longest };
    echo_replies = { used = Datagrams.pongs t.datagrams; limit = Datagrams.max_pongs };
  }

(* -- time and events ----------------------------------------------------- *)

let neighbour_action t ~now i (action : Outgoing.t Neighbours.action) =
  match action with
  | Request r -> Control_queue.push_neighbour t.control i r
  | Failed { address; packets } ->
      Discovery.unreachable t.discovery ~now i address;
      List.iter (fun (p : Outgoing.t) -> undeliverable t ~now p.frame ~dst:p.dst) packets

let tick_interface t ~now (i : Interface.t) =
  if Interface.deadline i <= now then List.iter (Dad.remove t.dad i) (Interface.expired i ~now);
  if Neighbours.deadline i.neighbours <= now then
    List.iter (neighbour_action t ~now i) (Neighbours.tick i.neighbours ~now)

let report_timeout t ~now first =
  let p = t.packet and len = Bytes.length first in
  if
    if is_v4_at first ~off:0 then Result.is_ok (Ipv4.read_quoted p first ~off:0 ~len)
    else Result.is_ok (Ipv6.read_quoted p first ~off:0 ~len)
  then Control_queue.report t.control ~now Reassembly_timed_out p ~link_group:false

let tick t ~now =
  advance t ~now;
  if Paths.deadline t.paths <= now && Paths.tick t.paths ~now then Routes.changed t.routes;
  Tcp.tick t.tcp;
  if Discovery.deadline t.discovery <= now then Discovery.tick t.discovery ~now;
  Array.iter (tick_interface t ~now) (Routes.interfaces t.routes);
  tick_dhcp t.dhcp ~now;
  if Reassembly.deadline t.reassembly <= now then
    List.iter (report_timeout t ~now) (Reassembly.tick t.reassembly ~now)

let interface_deadline (i : Interface.t) =
  Int.min (Interface.deadline i) (Neighbours.deadline i.neighbours)

let rec interfaces_deadline all n soonest =
  if n = Array.length all then soonest
  else interfaces_deadline all (n + 1) (Int.min soonest (interface_deadline all.(n)))

let rec dhcp_deadline all soonest =
  match all with
  | [] -> soonest
  | d :: rest -> dhcp_deadline rest (Int.min soonest (Dhcp.deadline d))

let deadline t =
  interfaces_deadline (Routes.interfaces t.routes) 0
    (dhcp_deadline t.dhcp
       (Int.min
          (Int.min (Tcp.deadline t.tcp) (Paths.deadline t.paths))
          (Int.min (Reassembly.deadline t.reassembly) (Discovery.deadline t.discovery))))

let event t =
  match Tcp.event t.tcp with
  | Connection c -> Connection c
  | Listener l -> Listener l
  | Nothing when Fifo.is_empty t.ready -> (
      match Datagrams.pong t.datagrams with Some p -> Pong p | None -> Nothing)
  | Nothing ->
      let e = Fifo.pop t.ready in
      (match e with Datagram s -> Udp_sockets.heard s | _ -> ());
      e

(* -- user calls ---------------------------------------------------------- *)

let connect t ~now ?local ?(local_port = 0) dst ~port =
  advance t ~now;
  let dst = ip dst in
  let dst = if Ip.is_any dst then Datagrams.this_host t.datagrams ~like:dst else dst in
  let local = match local with None -> Ip.any_like dst | Some a -> ip a in
  let local = if Ip.is_any local then Datagrams.source_for t.datagrams dst else local in
  if Ip.is_multicast dst || Routes.is_broadcast t.routes dst || port < 1 || port > 65_535 then
    Error `Bad_address
  else if
    Ip.is_any local || Ip.is_v4 local <> Ip.is_v4 dst || not (Datagrams.has_route t.datagrams dst)
  then Error `No_route
  else
    let mss = mss_of (Routes.mtu t.routes dst) ~ip_header:(Ip.header_length dst) in
    (Tcp.connect t.tcp ~local ~local_port ~remote:dst ~remote_port:port ~mss
      :> (_, [ `In_use | `No_port | `No_route | `Bad_address ]) result)

let close_sockets t =
  Tcp.close_listeners t.tcp;
  List.iter
    (fun socket ->
      Udp_sockets.close (udp t) socket;
      Datagrams.tell t.datagrams socket)
    (Udp_sockets.to_list (udp t))

let bind_udp ?share t ~address ~port ~reuse =
  if port = Weir_wire.Dhcpv4.client_port && not (List.is_empty t.dhcp) then Error `In_use
  else Datagrams.bind ?share t.datagrams ~address ~port ~reuse

let send_udp ?ttl ?broadcast ?dont_fragment ?probe t ~now socket ~dst ~dst_port b ~off ~len =
  advance t ~now;
  Datagrams.send ?ttl ?broadcast ?dont_fragment ?probe t.datagrams socket ~dst ~dst_port b ~off ~len

let source_for t dst = Ip.to_ipaddr (Datagrams.source_for t.datagrams (ip dst))

let send_ip ?ttl ?dont_fragment t ~now dst ~protocol b ~off ~len =
  advance t ~now;
  Datagrams.send_ip ?ttl ?dont_fragment t.datagrams dst ~protocol b ~off ~len

let ping t ~now dst ~identifier ~sequence ~data_length =
  advance t ~now;
  Datagrams.ping t.datagrams dst ~identifier ~sequence ~data_length
