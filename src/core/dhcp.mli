(** DHCP on one interface of a host (RFC 2131): takes the {!Dhcp_client}'s messages to and from the
    link, and does to addresses, routes and MTU what it says.

    Port 68 of the interface belongs to it. Replies are received although the host has no address
    yet. *)

open Weir_base

type t

val create :
  Dhcp_config.t ->
  Routes.t ->
  Control_queue.t ->
  Random.State.t ->
  Interface.t ->
  now:Time.t ->
  ready:(t -> unit) ->
  t
(** [create c routes control random i ~now ~ready] begins to ask for an address for [i]. [ready t]
    is called whenever {!lease} has changed.
    @raise Invalid_argument as {!Dhcp_config.check}. *)

val interface : t -> Interface.t

val client : t -> Dhcp_client.t
(** To look at. *)

val lease : t -> Dhcp_lease.t option
(** [lease t] is what the interface has now. A renewed lease is another value. *)

val may_be_reply : Weir_wire.Packet.t -> bool
(** [may_be_reply p] is true of an unfragmented UDP packet to port 68. *)

val input : t -> now:Time.t -> Weir_wire.Packet.t -> pseudo:int -> unit
(** [input t ~now p ~pseudo] processes such a packet. [pseudo] is the sum of the pseudo-header, or
    -1 if the checksum was verified. *)

val heard : t -> now:Time.t -> Weir_wire.Arp.t -> unit
(** [heard t ~now arp] processes an ARP packet received by the interface. *)

val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t

val release : t -> unit
(** [release t] gives the lease back. The address stays until the host ends. *)

(** {1 Telling the driver} *)

val set_wake : t -> (unit -> unit) -> unit
(** As {!Tcp.set_wake}: [wake t] is for when a {!Stack.event} says so of [t]. *)

val wake : t -> unit -> unit
