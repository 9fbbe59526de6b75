(** Neighbour discovery of a host (RFC 4861 §7.2) and duplicate address detection (RFC 4862 §5.4,
    RFC 7527). It answers solicitations, and tells {!Neighbours} what it hears. A new IPv6 address
    is tentative until nobody has claimed it; one that somebody has is removed.

    Messages that a router has forwarded or that came in fragments are dropped (RFC 4861 §7.1, RFC
    6980). Not supported: router discovery, redirects, the random delay before the first
    solicitation (RFC 4862 §5.4.2), anycast. *)

open Weir_base
open Weir_wire

type t

val create :
  Counters.t -> Routes.t -> Control_queue.t -> secret:Stable_address.secret -> transmits:int -> t
(** [create counters routes control ~secret ~transmits] probes no address. [transmits] is
    [Config.dad_transmits]. *)

(** {1 The host's addresses} *)

val add :
  t ->
  Interface.t ->
  ?state:Interface.state ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Ip.t ->
  prefix_length:int ->
  unit
(** [add t i ip ~prefix_length] is {!Routes.add_address}. An IPv6 address that the interface did not
    have, and without [state], is tentative first, if [transmits] is not 0. *)

val add_stable :
  ?counter:int -> t -> Interface.t -> ?preferred_until:Time.t -> ?valid_until:Time.t -> Ip.t -> unit
(** [add_stable t i prefix] adds a {!Stable_address} in the /64 of [prefix]. If it is a duplicate,
    up to three others are tried (RFC 7217 §6). *)

val remove : t -> Interface.t -> Ip.t -> unit

val is_settling : t -> bool
(** [is_settling t] is true while an address is tentative. *)

val duplicates : t -> Ip.t list
(** [duplicates t] is the addresses that other hosts had already, at most 16. *)

(** {1 Messages and time} *)

val input : t -> now:Time.t -> Interface.t -> Packet.t -> whole:bool -> unit
(** [input t ~now i p ~whole] processes the message of neighbour discovery in [p], whose checksum
    was verified. It is not [whole] if it came in fragments. *)

val tick : t -> now:Time.t -> unit

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)
