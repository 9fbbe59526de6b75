open Weir_wire
module Client = Dhcp_client
module Lease = Dhcp_lease
module Prefix = Ipaddr.V4.Prefix

type t = {
  client : Client.t;
  interface : Interface.t;
  routes : Routes.t;
  control : Control_queue.t;
  ready : t -> unit;
  mutable lease : Lease.t option;
  mutable wake : unit -> unit;
}

let interface t = t.interface
let client t = t.client
let lease t = t.lease
let deadline t = Client.deadline t.client
let wake t = t.wake
let set_wake t wake = t.wake <- wake

(* -- addresses, routes, MTU ---------------------------------------------- *)

let ip = Ip.of_v4
let network p = ip (Prefix.network p)

(* A gateway may be on a network that another route puts on the link, so those come first. A route
   whose gateway is not on the link is left out. *)
let add_routes t (l : Lease.t) =
  let on_link, through = List.partition (fun (_, gateway) -> gateway = None) l.routes in
  let add (p, gateway) =
    let network = network p and prefix_length = Prefix.bits p in
    match gateway with
    | None -> Routes.add_on_link t.routes t.interface ~network ~prefix_length
    | Some g ->
        ignore (Routes.add t.routes ~network ~prefix_length ~gateway:(ip g) : (unit, string) result)
  in
  List.iter add (on_link @ through)

let remove_routes t (l : Lease.t) =
  let remove (p, gateway) =
    let network = network p and prefix_length = Prefix.bits p in
    match gateway with
    | None -> Routes.remove_on_link t.routes t.interface ~network ~prefix_length
    | Some _ -> ignore (Routes.remove t.routes ~network ~prefix_length : bool)
  in
  List.iter remove l.routes

let withdraw t (l : Lease.t) =
  remove_routes t l;
  Routes.remove_address t.routes t.interface (ip (Prefix.address l.address));
  Routes.set_mtu t.routes t.interface t.interface.link_mtu

(* An address that stays is not removed in between. *)
let assign t (l : Lease.t) =
  (match t.lease with
  | Some old when Prefix.compare old.address l.address = 0 -> remove_routes t old
  | Some old -> withdraw t old
  | None -> ());
  Routes.add_address t.routes t.interface
    (ip (Prefix.address l.address))
    ~prefix_length:(Prefix.bits l.address);
  Routes.set_mtu t.routes t.interface (Option.value l.mtu ~default:t.interface.link_mtu);
  add_routes t l

let change t lease =
  (match (t.lease, lease) with
  | Some old, Some l when Lease.same_settings old l -> ()
  | _, Some l -> assign t l
  | Some old, None -> withdraw t old
  | None, None -> ());
  t.lease <- lease;
  t.ready t

(* -- packets that leave -------------------------------------------------- *)

let ethernet = Ethernet.length

let write_udp message ~src ~dst b ~at ~length =
  Dhcpv4.emit message b ~off:(at + Udp.length);
  Udp.emit
    {
      src_port = Dhcpv4.client_port;
      dst_port = Dhcpv4.server_port;
      data_length = length - Udp.length;
      checksummed = true;
    }
    ~pseudo:(Ip.pseudo_sum ~src ~dst ~protocol:Ipv4.protocol_udp ~length)
    b ~off:at

(* Writes the whole frame, because no route leads from 0.0.0.0, and the frame must leave by its own
   interface. *)
let broadcast t message ~src ~length =
  let dst = Ip.broadcast and at = ethernet + Ipv4.shortest in
  let b = Bytes.create (at + length) in
  write_udp message ~src ~dst b ~at ~length;
  Ipv4.emit
    { Ipv4.base with src; dst; protocol = Ipv4.protocol_udp; data_length = length }
    b ~off:ethernet;
  Ethernet.write b ~off:0 ~dst:Mac.broadcast ~src:t.interface.mac Ethernet.ethertype_ipv4;
  Control_queue.push t.control (Outgoing.plain b ~len:(at + length) ~dst (On t.interface.number))

let send t message ~src ~dst =
  let length = Udp.length + Dhcpv4.length message in
  let queued =
    if Ip.equal dst Ip.broadcast then broadcast t message ~src ~length
    else
      Control_queue.push_datagram t.control ~src ~dst ~protocol:Ipv4.protocol_udp ~length
        (fun b at -> write_udp message ~src ~dst b ~at ~length)
  in
  (* If the queue is full it is as if the message was lost. *)
  ignore (queued : bool)

let rec act t =
  match Client.next t.client with
  | Nothing -> ()
  | action ->
      (match action with
      | Nothing -> ()
      | Send { message; src; dst } -> send t message ~src ~dst
      | Arp arp -> Control_queue.push_neighbour t.control t.interface { dst = Mac.broadcast; arp }
      | Assign lease -> change t (Some lease)
      | Withdraw _ -> change t None);
      act t

(* -- packets that come, time --------------------------------------------- *)

let may_be_reply (p : Packet.t) =
  p.protocol = Ipv4.protocol_udp && p.address_length = Ip.v4_length
  && (not (Packet.is_fragment p))
  && p.payload_length >= Udp.length
  && Bytes.get_uint16_be p.data (p.payload_at + 2) = Dhcpv4.client_port

let input t ~now (p : Packet.t) ~pseudo =
  match Udp.decode ~pseudo p.data ~off:p.payload_at ~len:p.payload_length with
  | Error _ -> ()
  | Ok u -> (
      match Dhcpv4.decode p.data ~off:(p.payload_at + Udp.length) ~len:u.data_length with
      | Error _ -> ()
      | Ok message ->
          Client.input t.client ~now message;
          act t)

let heard t ~now arp =
  Client.heard t.client ~now arp;
  act t

let tick t ~now =
  if Client.deadline t.client <= now then (
    Client.tick t.client ~now;
    act t)

let release t =
  Client.release t.client;
  act t

let create config routes control random (interface : Interface.t) ~now ~ready =
  let client = Client.create config random ~mac:interface.mac ~mtu:interface.link_mtu ~now in
  let t = { client; interface; routes; control; ready; lease = None; wake = ignore } in
  act t;
  t
