(** The routers of a host's links that advertise themselves (RFC 4861 §5.1, §6.3.4, §6.3.6), with
    their preferences and their routes to other networks (RFC 4191, type C): the best for each
    network is in the routing table.

    A route that the program added for the same network stays, and is used. *)

open Weir_base
open Weir_wire

type t

val create : Routes.t -> t

val most_routers : int
(** The most default routers of an interface: 4. Others are ignored. *)

val most_routes : int
(** The most other routes of an interface: 8. *)

val heard :
  t ->
  now:Time.t ->
  Interface.t ->
  router:Ip.t ->
  network:Ip.t ->
  bits:int ->
  Nd.preference ->
  until:Time.t ->
  unit
(** [heard t ~now i ~router ~network ~bits preference ~until] says that [router] forwards to
    [network], by default ([bits] is 0) or only there; not any longer if [until] has passed. Call
    {!install} after the last one of a message. *)

val install : t -> now:Time.t -> unit
(** [install t ~now] brings the routing table up to date. Of equal routers the first heard is used.
*)

val unreachable : t -> now:Time.t -> Interface.t -> Ip.t -> unit
(** [unreachable t ~now i ip] says that a router did not answer. For a minute another is preferred.
*)

val gone : t -> now:Time.t -> Interface.t -> Ip.t -> unit
(** [gone t ~now i ip] says that [ip] is a router no more: all that it offered is forgotten, until
    it advertises again. *)

val defaults : t -> Ip.t list
(** [defaults t] is the default routers, the one in use first. *)

val has_default : t -> Interface.t -> bool
val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t
