(* What the modules of a host share: its tables and queues, and the packet or frame at hand. {!Stack}
   makes one and gives it to them. *)

open Weir_base
module Ip = Weir_wire.Ip

(* As in {!Stack}. *)
type event =
  | Nothing
  | Connection of Tcp.connection
  | Listener of Tcp.listener
  | Datagram of Udp_sockets.socket
  | Pong of Echoes.pong
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
  echoes : Echoes.t;
  datagrams : Datagrams.t;
  dad : Dad.t;
  groups : Groups.t;
  discovery : Discovery.t;
  ready : event Fifo.t;  (** of datagrams *)
  packet : Weir_wire.Packet.t;  (** that is being read *)
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

let advance t ~now = Tcp.advance t.tcp ~now

(* The MSS of packets of [mtu] bytes. *)
let mss_of mtu ~ip_header = mtu - ip_header - Weir_wire.Tcp.shortest
