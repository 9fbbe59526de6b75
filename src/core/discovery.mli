(** Neighbour discovery of a host (RFC 4861 §7.2): it answers solicitations, and tells
    {!Neighbours}, {!Dad}, {!Autoconf} and {!Redirects} what it hears.

    Messages that a router has forwarded or that came in fragments are dropped (RFC 4861 §6.1, §7.1,
    RFC 6980). {!Redirects} decides about redirects. *)

open Weir_base

type t

val create : Counters.t -> Routes.t -> Control_queue.t -> Dad.t -> Redirects.t -> t

val start_autoconf : t -> now:Time.t -> Interface.t -> ready:(Autoconf.t -> unit) -> Autoconf.t
(** [start_autoconf t ~now i ~ready] lets routers configure [i]: see {!Autoconf}. All interfaces
    share the result; [ready] of the first call is used.
    @raise Invalid_argument as {!Autoconf.start}. *)

val autoconf : t -> Autoconf.t option

val unreachable : t -> now:Time.t -> Interface.t -> Weir_wire.Ip.t -> unit
(** [unreachable t ~now i ip] says that the neighbour [ip] does not answer. *)

(** {1 Messages and time} *)

val input : t -> now:Time.t -> Interface.t -> Weir_wire.Packet.t -> whole:bool -> unit
(** [input t ~now i p ~whole] processes the message of neighbour discovery in [p], whose checksum
    was verified. It is not [whole] if it came in fragments. *)

val tick : t -> now:Time.t -> unit

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)
