open Weir_base
open Stack_state
module Ip = Weir_wire.Ip
module Mac = Weir_wire.Mac
module Packet = Weir_wire.Packet

type settings = {
  mac : Mac.t;
  addresses : Ipaddr.Prefix.t list;
  gateways : Ipaddr.t list;
  mtu : int;
  secret : Stable_address.secret;
  config : Config.t;
}

type pong = Echoes.pong = {
  from : Ip.t;
  identifier : int;
  sequence : int;
  data_length : int;
  ttl : int;
  outcome : (unit, string) result;
}

type echo = Echoes.request = {
  source : Ip.t;
  destination : Ip.t;
  identifier : int;
  sequence : int;
  ttl : int;
  data : string;
}

type subject = Datagrams.subject =
  | Syn of Tcp.connection
  | Flow of Udp_sockets.socket
  | Echo of echo

type event = Stack_state.event =
  | Nothing
  | Connection of Tcp.connection
  | Listener of Tcp.listener
  | Datagram of Udp_sockets.socket
  | Pong of pong
  | Configuration of Dhcp.t
  | Advertised of Autoconf.t

type t = Stack_state.t

let config (t : t) = t.config
let routes t = t.routes
let counters t = t.counters
let tcp t = t.tcp
let udp t = Datagrams.sockets t.datagrams
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

(* -- interfaces ---------------------------------------------------------- *)

let add_interface t ~mac ~mtu =
  let i = Routes.add_interface t.routes t.random ~mac ~mtu in
  Control_queue.set_mtu t.control (Routes.longest_mtu t.routes);
  if Interface.takes_v6 i then Dad.add_stable t.dad i Stable_address.link_local;
  i

let interface t number = Routes.interface t.routes number
let set_transparent t on = Routes.set_transparent t.routes on
let set_echo t f = Echoes.set_handler t.echoes f

let reply_echo t ~now e =
  advance t ~now;
  Echoes.reply t.echoes e

let report t ~now reason subject =
  advance t ~now;
  Datagrams.report t.datagrams ~now reason subject

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
  let transmits = Option.value config.dad_transmits ~default:0 in
  let dad = Dad.create counters routes control ~secret ~transmits in
  let groups =
    Groups.create counters routes control ~random:(Dad.random dad) ~announces:(transmits > 0)
  in
  let redirects = Redirects.create counters routes ~enabled:config.redirects in
  let ready = Fifo.create ~dummy:Nothing in
  let tell socket = Fifo.push ready (Datagram socket) in
  let echoes = Echoes.create counters routes control in
  let datagrams =
    Datagrams.create counters routes paths control tcp echoes groups redirects random ~ready:tell
  in
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
      echoes;
      datagrams;
      dad;
      groups;
      discovery = Discovery.create counters routes control dad redirects;
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

let advertise t ~now ?interval i message =
  advance t ~now;
  Discovery.advertise t.discovery ~now ?interval i message

let set_forwarding t on =
  Routes.set_router t.routes on;
  t.forwarding <- (if on then Some (Forwarding.create t.counters t.routes t.control) else None)

(* -- the calls of a driver ----------------------------------------------- *)

let input = Stack_input.input
let take = Stack_input.take
let set_siblings = Stack_siblings.set
let transmit = Stack_output.transmit
let stays = Stack_output.stays
let next_length = Stack_output.next_length
let nothing_waits = Stack_output.nothing_waits
let tick = Stack_timers.tick
let deadline = Stack_timers.deadline
let usage = Stack_usage.count

let event t =
  match Tcp.event t.tcp with
  | Connection c -> Connection c
  | Listener l -> Listener l
  | Nothing when Fifo.is_empty t.ready -> (
      match Echoes.pong t.echoes with Some p -> Pong p | None -> Nothing)
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

type group_error = [ `Not_a_group | `No_interface | `Too_many ]

let set_membership t ~now ?interface socket group filter =
  advance t ~now;
  let done_ = Datagrams.set_membership t.datagrams socket ?interface group filter in
  Groups.tick t.groups ~now;
  done_

let membership t ?interface socket group = Datagrams.member t.datagrams socket ?interface group
let source_for t dst = Ip.to_ipaddr (Datagrams.source_for t.datagrams (ip dst))

let send_ip ?ttl ?dont_fragment t ~now dst ~protocol b ~off ~len =
  advance t ~now;
  Datagrams.send_ip ?ttl ?dont_fragment t.datagrams dst ~protocol b ~off ~len

let ping t ~now dst ~identifier ~sequence ~data_length =
  advance t ~now;
  Echoes.ping t.echoes dst ~identifier ~sequence ~data_length
