(** Packets that the host makes outside TCP's own path (ARP, ICMP, UDP, RSTs): built here, cut into
    fragments where needed, and kept in one bounded queue until the stack transmits them. *)

open Weir_wire

type t

val create : Counters.t -> Routes.t -> Random.State.t -> t

val set_mtu : t -> int -> unit
(** [set_mtu t mtu]: packets may be so long. *)

val pop : t -> Outgoing.t
(** [pop t] takes the oldest. @raise Invalid_argument if there is none. *)

val next_length : t -> int
(** [next_length t] is how long the frame of the oldest is, 0 if there is none. *)

val recycle : t -> Outgoing.t -> unit
(** [recycle t p] says that nobody reads or keeps [p], popped and sent, any more: its frame may hold
    another packet. *)

val is_empty : t -> bool
val length : t -> int

val longest : int
(** How many packets wait at most. *)

val push : t -> Outgoing.t -> bool
(** [push t p] is false if the queue is full: it is dropped. Counted. *)

val push_packet :
  ?like:Ipv4.t ->
  t ->
  src:Ip.t ->
  dst:Ip.t ->
  protocol:int ->
  data_length:int ->
  (Bytes.t -> int -> unit) ->
  bool
(** [push_packet t … fill] queues one packet, which must fit the MTU; [fill b off] writes its
    payload at [off]. What else the header says is as in [like] (default {!Ipv4.base}). *)

val push_datagram :
  ?like:Ipv4.t ->
  t ->
  src:Ip.t ->
  dst:Ip.t ->
  protocol:int ->
  length:int ->
  (Bytes.t -> int -> unit) ->
  bool
(** [push_datagram t … fill] queues a payload of any length, in fragments if need be: all or none.
    [fill b off] writes it to [b] at [off]. *)

val fragment : t -> mtu:int -> Bytes.t -> len:int -> unit
(** [fragment t ~mtu b ~len] queues the IPv4 packet of [len] bytes behind the place of the Ethernet
    header in [b] in fragments: its route has changed to a link that cannot carry it whole. Dropped
    and counted if it must not be cut. *)

val push_arp : t -> Interface.t -> Neighbours.request -> unit
val push_segment : t -> src:Ip.t -> dst:Ip.t -> Segment.t -> unit

val report : t -> now:Weir_base.Time.t -> Icmp.error -> Packet.t -> link_group:bool -> unit
(** [report t ~now e p ~link_group] queues an ICMP error about [p], where RFC 1122 §3.2.2 allows one
    and the rate limit (RFC 1812 §4.3.2.8) does. *)

val write_ip : t -> Bytes.t -> src:Ip.t -> dst:Ip.t -> protocol:int -> data_length:int -> unit
(** [write_ip t b …] writes an IPv4 header behind the place of the Ethernet header. *)
