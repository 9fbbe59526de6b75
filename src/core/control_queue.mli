(** Builds the packets that do not come from TCP connections (ARP, ICMP, neighbour discovery, UDP,
    RSTs), fragments them if needed, and keeps them in one bounded queue until the stack transmits
    them. *)

open Weir_wire

type t

val create : Counters.t -> Routes.t -> Paths.t -> Random.State.t -> t

val set_mtu : t -> int -> unit
(** [set_mtu t mtu] sets the longest packet, in bytes. *)

val set_hop_limit : t -> int -> unit
(** [set_hop_limit t n] makes [n] the hop limit of IPv6 packets whose sender chose no other than 64,
    the one at first. *)

val pop : t -> Outgoing.t
(** [pop t] removes and returns the oldest packet.
    @raise Invalid_argument if there is none. *)

val next_length : t -> int
(** [next_length t] is the frame length of the oldest packet, 0 if there is none. *)

val recycle : t -> Outgoing.t -> unit
(** [recycle t p] lets [t] reuse the frame of [p], which was popped and sent and is no longer used.
*)

val is_empty : t -> bool
val length : t -> int

val longest : int
(** The most packets in the queue. *)

val push : t -> Outgoing.t -> bool
(** [push t p] adds [p]. If the queue is full it drops and counts [p], and is false. *)

type header = {
  ttl : int;  (** or hop limit *)
  dont_fragment : bool;  (** IPv4 only: IPv6 packets are never fragmented on the way *)
}
(** What senders may choose in an IP header. *)

val default : header
(** [default] has time to live 64 and allows fragments. *)

val push_datagram :
  ?like:header ->
  t ->
  src:Ip.t ->
  dst:Ip.t ->
  protocol:int ->
  length:int ->
  (Bytes.t -> int -> unit) ->
  bool
(** [push_datagram t … fill] queues a payload of any length, in fragments if needed. If not all
    fragments fit, none is queued. [fill b off] writes the payload to [b] at [off]. *)

val fragment : t -> mtu:int -> dst:Ip.t -> Bytes.t -> len:int -> unit
(** [fragment t ~mtu ~dst b ~len] queues the packet of [len] bytes to [dst] that follows the space
    for the Ethernet header in [b], in fragments. It is for a packet whose route changed to a link
    with a smaller MTU. A packet with "don't fragment" and a fragment of IPv6 are dropped and
    counted. *)

val push_neighbour : t -> Interface.t -> Neighbours.request -> unit
(** [push_neighbour t i r] queues [r] as an ARP packet, or for IPv6 as a neighbour solicitation or
    advertisement. *)

val push_nd : t -> Interface.t -> mac:Mac.t -> src:Ip.t -> dst:Ip.t -> Nd.t -> unit
(** [push_nd t i ~mac ~src ~dst m] queues a message of neighbour discovery. *)

val nd_hop_limit : int
(** 255, the hop limit of all of them (RFC 4861 §7.1). *)

val may_answer : t -> now:Weir_base.Time.t -> bool
(** [may_answer t ~now] takes a token of the rate limit of ICMP errors, for another answer that many
    hosts may be made to give. *)

val push_membership : t -> Interface.t -> src:Ip.t -> dst:Ip.t -> Membership.t -> unit
(** [push_membership t i ~src ~dst m] queues a message of IGMP or MLD for the link of [i], with a
    router alert and a time to live of 1. *)

val push_segment : t -> src:Ip.t -> dst:Ip.t -> Segment.t -> unit

val longest_forwarded : int
(** The most packets in the queue when one more of another host is added. *)

val push_forwarded :
  t ->
  Bytes.t ->
  off:int ->
  len:int ->
  dst:Ip.t ->
  (Bytes.t -> at:int -> Weir_base.Frame.checksum) ->
  bool
(** [push_forwarded t b ~off ~len ~dst edit] queues a copy of the IPv4 packet of another host, which
    [edit copy ~at] changes. It is false if there is no room. *)

val push_forwarded_parts : t -> mtu:int -> Ipv4.t -> Bytes.t -> from:int -> bool
(** [push_forwarded_parts t ~mtu h b ~from] queues the packet with header [h] and the data from
    [from] in fragments; all or none. *)

val report :
  ?to_group:bool ->
  ?transit:bool ->
  ?by:Interface.t ->
  t ->
  now:Weir_base.Time.t ->
  Icmp.error ->
  Packet.t ->
  link_group:bool ->
  unit
(** [report t ~now e p ~link_group] queues an ICMP error about [p] if {!Icmp.may_report} and the
    rate limit (RFC 1812 §4.3.2.8, RFC 4443 §2.4 (f)) allow it. With [transit] (default false) [p]
    was for another host, and {!Icmp.may_report_transit} is asked. The error comes from an address
    of [by], if given. *)

val write_tcp : t -> Bytes.t -> src:Ip.t -> dst:Ip.t -> data_length:int -> ecn:int -> int
(** [write_tcp t b …] writes the IP header of a TCP segment after the space for the Ethernet header,
    and is its length. For IPv4 with "don't fragment" (RFC 1191 §3), unless {!Paths.may_cut}. [ecn]
    is 0 or {!Weir_wire.Packet.ect_0}. *)
