module Ip = Weir_wire.Ip
module Packet = Weir_wire.Packet
module Ipv4 = Weir_wire.Ipv4
module Ipv6 = Weir_wire.Ipv6
module Icmpv4 = Weir_wire.Icmpv4
module Icmpv6 = Weir_wire.Icmpv6
module Udp = Weir_wire.Udp
module Membership = Weir_wire.Membership

type subject = Syn of Tcp.connection | Flow of Udp_sockets.socket | Echo of Echoes.request

type t = {
  counters : Counters.t;
  routes : Routes.t;
  paths : Paths.t;
  control : Control_queue.t;
  tcp : Tcp.t;
  sockets : Udp_sockets.t;
  groups : Groups.t;
  redirects : Redirects.t;
  ready : Udp_sockets.socket -> unit;
  echoes : Echoes.t;
  mutable stray : unit -> bool;
}

let create counters routes paths control tcp echoes groups redirects random ~ready =
  let sockets = Udp_sockets.create random ~ports:(Tcp.ports tcp) ~budget:(Tcp.budget tcp) in
  Udp_sockets.set_on_membership sockets (fun ~interface group ->
      let i = Routes.interface routes interface in
      Groups.update groups i group (Udp_sockets.filters sockets ~interface group));
  {
    counters;
    routes;
    paths;
    control;
    tcp;
    sockets;
    groups;
    redirects;
    ready;
    echoes;
    stray = (fun () -> false);
  }

let set_stray t f = t.stray <- f
let sockets t = t.sockets
let source_for t dst = Routes.source_for t.routes dst

let has_route t dst =
  Routes.is_local t.routes dst || Routes.is_broadcast t.routes dst || Ip.is_multicast dst
  || Routes.leads (Routes.find t.routes dst)

let this_host t ~like = if Ip.is_v4 like then Routes.source_for t.routes Ip.any else Ip.loopback_v6

(* -- packets that come in ------------------------------------------------ *)

let tell t socket = if Udp_sockets.announce socket then t.ready socket

let deliver t socket p ~src_port ~off ~len =
  ignore (Udp_sockets.enqueue socket p ~src_port ~off ~len : bool);
  tell t socket

(* Of the groups that every host is in. *)
let is_of_all (p : Packet.t) =
  if p.address_length = Ip.v4_length then
    p.destination_key lsr 28 <> 0xe || p.destination_key = Ip.key Membership.all_hosts
  else not (Membership.is_reported (Packet.destination p))

let to_members t (p : Packet.t) ~interface ~src_port ~dst_port ~off ~len =
  let all = is_of_all p in
  Udp_sockets.iter_matching t.sockets p ~dst_port ~src_port (fun socket ->
      if all || Udp_sockets.hears socket p ~interface then deliver t socket p ~src_port ~off ~len)

let udp_input t ~now ~interface (p : Packet.t) ~pseudo ~group ~link_group =
  match Udp.decode ~pseudo p.data ~off:p.payload_at ~len:p.payload_length with
  | Error _ -> t.counters.udp_in_malformed <- t.counters.udp_in_malformed + 1
  (* Over IPv6 a checksum is not optional (RFC 8200 §8.1). *)
  | Ok { checksummed = false; _ } when pseudo >= 0 && p.address_length = Ip.v6_length ->
      t.counters.udp_in_malformed <- t.counters.udp_in_malformed + 1
  | Ok u -> (
      t.counters.udp_in <- t.counters.udp_in + 1;
      let src_port = u.src_port and dst_port = u.dst_port in
      let off = p.payload_at + Udp.length and len = u.data_length in
      if group then to_members t p ~interface ~src_port ~dst_port ~off ~len
      else
        match Udp_sockets.find t.sockets p ~dst_port ~src_port with
        | Some socket -> deliver t socket p ~src_port ~off ~len
        | None when t.stray () -> ()
        | None -> (
            match Udp_sockets.new_flow t.sockets p ~dst_port ~src_port with
            | `Flow (socket, newcomer) ->
                deliver t socket p ~src_port ~off ~len;
                newcomer socket
            | `Full -> t.counters.udp_flows_dropped <- t.counters.udp_flows_dropped + 1
            | `No_socket ->
                t.counters.udp_no_port <- t.counters.udp_no_port + 1;
                Control_queue.report t.control ~now (Unreachable Port) p ~link_group))

let path_mtu t dst = Int.min (Routes.mtu t.routes dst) (Paths.mtu t.paths dst)

let packet_too_big t ~src ~dst ~protocol ~mtu ~length b ~at =
  if protocol = Ipv4.protocol_tcp then
    let seq = (Bytes.get_uint16_be b (at + 4) lsl 16) lor Bytes.get_uint16_be b (at + 6) in
    Tcp.packet_too_big t.tcp ~local:src ~local_port:(Bytes.get_uint16_be b at) ~remote:dst
      ~remote_port:(Bytes.get_uint16_be b (at + 2))
      ~seq ~mtu ~length
  else if
    Paths.was_sent t.paths ~dst b ~off:at
    && Paths.reported t.paths ~now:(Tcp.now t.tcp) dst ~mtu ~length
  then Routes.changed t.routes

(* Reports the error to the connection or socket that sent the packet, whose transport header is at
   [at] (RFC 1122 §3.2.2, §4.2.3.9, RFC 4443 §2.4 (d)). *)
let tell_sender t message ~hard ~src:local ~dst:remote ~protocol b ~at =
  let first = Bytes.get_uint16_be b at and second = Bytes.get_uint16_be b (at + 2) in
  let third = Bytes.get_uint16_be b (at + 4) and fourth = Bytes.get_uint16_be b (at + 6) in
  if protocol = Ipv4.protocol_tcp then
    Tcp.unreachable t.tcp ~local ~local_port:first ~remote ~remote_port:second
      ~seq:((third lsl 16) lor fourth)
      ~hard message
  else if protocol = Ipv4.protocol_udp then (
    if Icmp_error.is_unreachable message then
      Option.iter (tell t)
        (Udp_sockets.report t.sockets ~local ~local_port:first ~remote ~remote_port:second message))
  else if
    (protocol = Ipv4.protocol_icmp && first = 0x0800)
    || (protocol = Ipv6.protocol_icmp && first = 0x8000)
  then
    Echoes.failed t.echoes ~dst:remote ~identifier:third ~sequence:fourth
      (Fmt.str "%a" Icmp_error.pp message)

(* The MTU, if that is what the error is about. *)
let too_big : Icmp_error.t -> int = function
  | V4 (Destination_unreachable { code = Fragmentation_needed mtu; _ }) -> mtu
  | V6 (Packet_too_big { mtu; _ }) -> mtu
  | V4 _ | V6 _ -> -1

let quoted_error t message ~hard ~src ~dst ~protocol ~length ~whole b ~at =
  let mtu = too_big message in
  if not (Routes.is_local t.routes src || Routes.is_transparent t.routes) then ()
  else if mtu < 0 then tell_sender t message ~hard ~src ~dst ~protocol b ~at
  else if whole then packet_too_big t ~src ~dst ~protocol ~mtu ~length b ~at

let icmp_error t (message : Icmp_error.t) ~hard b ~off ~len =
  let malformed () = t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1 in
  match message with
  | V4 _ -> (
      match Icmp.quoted b ~off ~len with
      | None -> malformed ()
      | Some (({ src; dst; protocol; dont_fragment = whole; _ } as q), at) ->
          let length = q.header_length + q.data_length in
          quoted_error t message ~hard ~src ~dst ~protocol ~length ~whole b ~at)
  | V6 _ -> (
      match Icmp.quoted_v6 b ~off ~len with
      | None -> malformed ()
      | Some (({ src; dst; protocol; _ } as q), at) ->
          let length = q.header_length + q.data_length in
          quoted_error t message ~hard ~src ~dst ~protocol ~length ~whole:true b ~at)

(* The gateway is in the header's second word, and what this host sent follows. *)
let redirect t (p : Packet.t) ~gateway b ~off ~len =
  match Icmp.quoted b ~off ~len with
  | Some ({ src; dst; _ }, _) when Routes.is_own t.routes src ->
      Redirects.heard t.redirects ~now:(Tcp.now t.tcp) ~router:(Packet.source p)
        ~target:(Ip.of_int gateway) dst
  | Some _ | None -> t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1

let icmp_input t ~now (p : Packet.t) =
  let b = p.data and off = p.payload_at and len = p.payload_length in
  match Icmpv4.decode b ~off ~len with
  | Error _ -> t.counters.icmp_in_malformed <- t.counters.icmp_in_malformed + 1
  | Ok message -> (
      t.counters.icmp_in <- t.counters.icmp_in + 1;
      match message with
      | Echo_request { identifier; sequence; data_length } ->
          Echoes.asked t.echoes ~now p ~identifier ~sequence ~data_length
      | Echo_reply { identifier; sequence; data_length } ->
          Echoes.answered t.echoes p ~identifier ~sequence ~data_length
      | Destination_unreachable _ | Time_exceeded _ | Parameter_problem _ ->
          let message = Icmp_error.V4 message in
          icmp_error t message ~hard:(Icmp_error.is_hard message) b ~off:(off + Icmpv4.length)
            ~len:(len - Icmpv4.length)
      | Other { kind = 5; code; rest; _ } when code <= 3 ->
          redirect t p ~gateway:rest b ~off:(off + Icmpv4.length) ~len:(len - Icmpv4.length)
      | Other _ -> ())

let icmpv6_input t ~now (p : Packet.t) (message : Icmpv6.t) =
  let b = p.data and off = p.payload_at and len = p.payload_length in
  t.counters.icmp_in <- t.counters.icmp_in + 1;
  match message with
  | Echo_request { identifier; sequence; data_length } ->
      Echoes.asked t.echoes ~now p ~identifier ~sequence ~data_length
  | Echo_reply { identifier; sequence; data_length } ->
      Echoes.answered t.echoes p ~identifier ~sequence ~data_length
  | Destination_unreachable _ | Packet_too_big _ | Time_exceeded _ | Parameter_problem _ ->
      let message = Icmp_error.V6 message in
      icmp_error t message ~hard:(Icmp_error.is_hard message) b ~off:(off + Icmpv6.length)
        ~len:(len - Icmpv6.length)
  | Other _ -> ()

(* -- packets that are sent ----------------------------------------------- *)

let bind ?share t ~address ~port ~reuse =
  let a = Ip.unmapped (Ip.of_ipaddr address) in
  if
    not
      (Ip.is_any a || Routes.is_local t.routes a || Routes.is_broadcast t.routes a
     || Ip.is_multicast a)
  then Error `Bad_address
  else
    (Udp_sockets.bind ?share t.sockets ~address:a ~port ~reuse
      :> (_, [ `In_use | `No_port | `Bad_address ]) result)

let max_udp = 65_507

let header ?(dont_fragment = false) ttl : Control_queue.header =
  if ttl < 1 || ttl > 255 then invalid_arg "the time to live must be 1 to 255";
  { ttl; dont_fragment }

(* A destination as users write it. *)
let meant t dst =
  let dst = Ip.unmapped (Ip.of_ipaddr dst) in
  if Ip.is_any dst then this_host t ~like:dst else dst

(* The source of a socket's datagrams to [dst]; one that is bound to an address stays with its family. *)
let source_of t socket dst =
  let bound = Udp_sockets.address socket in
  let free = Ip.is_any bound || Routes.is_broadcast t.routes bound || Ip.is_multicast bound in
  if Ip.is_v4 bound && not (Ip.is_v4 dst) then Error `Bad_address
  else if not free then if Ip.is_v4 dst = Ip.is_v4 bound then Ok bound else Error `No_route
  else
    let number = if Ip.is_multicast dst then Udp_sockets.group_interface socket else -1 in
    let src =
      if number < 0 then source_for t dst
      else Interface.source_for (Routes.interface t.routes number) dst
    in
    if Ip.is_any src && not (Ip.is_v4 src) then Error `No_route else Ok src

(* -- groups -------------------------------------------------------------------- *)

let interface_to t group =
  (Routes.interface_of_source t.routes (source_for t group)).Interface.number

let set_membership t socket ?interface group (filter : Groups.filter) =
  let group = Ip.unmapped (Ip.of_ipaddr group) in
  let mapped l = List.map Ip.unmapped l in
  let filter =
    match filter with
    | Groups.Include l -> Groups.Include (mapped l)
    | Exclude l -> Exclude (mapped l)
  in
  let (Include sources | Exclude sources) = filter in
  let fits a = Ip.is_v4 a = Ip.is_v4 group && Routes.is_source t.routes a in
  let number = match interface with Some n -> n | None -> interface_to t group in
  if not (Ip.is_multicast group && List.for_all fits sources) then Error `Not_a_group
  else if Ip.is_v4 (Udp_sockets.address socket) && not (Ip.is_v4 group) then Error `Not_a_group
  else if number < 0 || number >= Array.length (Routes.interfaces t.routes) then Error `No_interface
  else
    let i = Routes.interface t.routes number in
    let before = Option.to_list (Udp_sockets.membership socket ~interface:number group) in
    let others =
      List.filter
        (fun f -> not (List.memq f before))
        (Udp_sockets.filters t.sockets ~interface:number group)
    in
    if
      filter <> Include []
      && not
           (List.length sources <= Groups.most_sources
           && Groups.has_room t.groups i group (filter :: others))
    then Error `Too_many
    else if Udp_sockets.set_membership t.sockets socket ~interface:number group filter then Ok ()
    else Error `Too_many

let member t socket ?interface group =
  let group = Ip.unmapped (Ip.of_ipaddr group) in
  let interface = match interface with Some n -> n | None -> interface_to t group in
  Udp_sockets.membership socket ~interface group

(* Members on this host hear the datagram without the link. *)
let loop t socket ~src ~dst ~dst_port b ~off ~len =
  let interface = (Routes.interface_of_source t.routes src).Interface.number in
  if Udp_sockets.group_loop socket && Udp_sockets.filters t.sockets ~interface dst <> [] then (
    let p = Packet.between ~source:src ~destination:dst in
    let at = Bytes.length p.data in
    p.data <- Bytes.extend p.data 0 len;
    Bytes.blit b off p.data at len;
    to_members t p ~interface ~src_port:(Udp_sockets.port socket) ~dst_port ~off:at ~len)

let push_udp t socket ~like ~src ~dst ~dst_port b ~off ~len =
  let length = Udp.length + len in
  let pseudo = Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_udp ~length in
  let header =
    { Udp.src_port = Udp_sockets.port socket; dst_port; data_length = len; checksummed = true }
  in
  if
    Control_queue.push_datagram ~like t.control ~src ~dst ~protocol:Ipv4.protocol_udp ~length
      (fun packet at ->
        Bytes.blit b off packet (at + Udp.length) len;
        Udp.emit header ~pseudo packet ~off:at)
  then (
    t.counters.udp_out <- t.counters.udp_out + 1;
    Ok ())
  else Error `No_room

let send ?ttl ?(broadcast = true) ?(dont_fragment = false) ?(probe = false) t socket ~dst ~dst_port
    b ~off ~len =
  let dst = meant t dst in
  let whole = dont_fragment || probe in
  let to_group = Ip.is_multicast dst in
  let ttl = if to_group && ttl = None then Some (Udp_sockets.group_ttl socket) else ttl in
  let mtu () = if probe then Routes.mtu t.routes dst else path_mtu t dst in
  if len > max_udp then Error `Too_long
  else if dst_port < 1 || dst_port > 65_535 then Error `Bad_address
  else if Routes.is_broadcast t.routes dst && not broadcast then Error `Not_permitted
  else if not (has_route t dst) then Error `No_route
  else if whole && Ip.header_length dst + Udp.length + len > mtu () then Error `Too_long
  else
    match source_of t socket dst with
    | Error _ as e -> e
    | Ok src ->
        let like =
          match ttl with
          | None when not whole -> Control_queue.default
          | Some 0 when to_group -> { Control_queue.default with ttl = 0 }
          | _ -> header ~dont_fragment:whole (Option.value ttl ~default:Control_queue.default.ttl)
        in
        let sent =
          (* A time to live of 0 does not leave the host. *)
          if to_group && like.ttl = 0 then Ok ()
          else push_udp t socket ~like ~src ~dst ~dst_port b ~off ~len
        in
        if to_group && Result.is_ok sent then loop t socket ~src ~dst ~dst_port b ~off ~len;
        sent

let send_ip ?(ttl = Control_queue.default.ttl) ?(dont_fragment = false) t dst ~protocol b ~off ~len
    =
  let dst = Ip.unmapped (Ip.of_ipaddr dst) in
  let like = header ttl ~dont_fragment in
  let src = source_for t dst in
  if len > Ip.longest_payload dst then Error `Too_long
  else if Ip.is_any dst then Error `Bad_address
    (* IPv4 may be sent from 0.0.0.0, by a host that has no address yet. *)
  else if Ip.is_any src && not (Ip.is_v4 dst) then Error `No_route
  else if dont_fragment && len > path_mtu t dst - Ip.header_length dst then Error `Would_fragment
  else if
    Control_queue.push_datagram ~like t.control ~src ~dst ~protocol ~length:len (fun packet at ->
        Bytes.blit b off packet at len)
  then Ok ()
  else Error `No_room

(* As much of the packet as an error needs to find its sender: a whole header. *)
let about subject =
  match subject with
  | Syn c ->
      let source = Tcp.remote c and destination = Tcp.local c in
      let syn =
        {
          Segment.base with
          src_port = Tcp.remote_port c;
          dst_port = Tcp.local_port c;
          syn = true;
          seq = Tcp.irs c;
        }
      in
      let b = Bytes.create (Segment.length syn) in
      Segment.emit syn ~pseudo:0 ~data_sum:0 b ~off:0;
      (source, destination, Ipv4.protocol_tcp, b)
  | Flow s ->
      let source, src_port = Option.value (Udp_sockets.remote s) ~default:(Ip.any, 0) in
      let b = Bytes.create Udp.length in
      Udp.emit
        { Udp.src_port; dst_port = Udp_sockets.port s; data_length = 0; checksummed = false }
        ~pseudo:0 b ~off:0;
      (source, Udp_sockets.address s, Ipv4.protocol_udp, b)
  | Echo e -> (e.source, e.destination, Echoes.protocol e.destination, Echoes.header e)

let report t ~now reason subject =
  let source, destination, protocol, payload = about subject in
  let packet = Icmp.about ~source ~destination ~protocol (Bytes.unsafe_to_string payload) in
  let error = Icmp_error.unreachable ~like:destination reason in
  Control_queue.report t.control ~transit:true ~now (Chosen error) packet ~link_group:false
