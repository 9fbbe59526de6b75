(** Configuration of a host by its routers (RFC 4861 §6.3, RFC 4862 §5.5): it asks for
    advertisements, and takes from them addresses, networks on the link, default routers and other
    routes, the MTU, the hop limit and DNS servers.

    Everything is bounded: {!Prefix_list.most}, {!Router_list.most_routers},
    {!Router_list.most_routes}, {!most_servers}, {!most_domains}. Where a bound is reached, what is
    new is ignored until something old ends.

    Not supported: DHCPv6, the routers' timers for neighbour discovery, redirects. *)

open Weir_base
open Weir_wire

type t

type configuration = {
  addresses : Ip.t list;  (** that the host made and may use *)
  routers : Ip.t list;  (** by default, the one in use first *)
  servers : Ip.t list;  (** DNS servers (RFC 8106 §5.1) *)
  domains : string list;  (** in which names are looked up (RFC 8106 §5.2) *)
}

val create : Routes.t -> Control_queue.t -> Dad.t -> ready:(t -> unit) -> t
(** [create routes control dad ~ready] listens to no router. [ready t] is called whenever
    {!configuration} has changed. *)

val start : t -> now:Time.t -> Interface.t -> unit
(** [start t ~now i] begins to ask the routers on the link of [i], after up to a second, 4 seconds
    later, and then twice as late each time, up to an hour, until one answers that it is a default
    router (RFC 7559). When the last default router of the link has gone, it asks again in the same
    way.
    @raise Invalid_argument
      if it was called for [i] before, or the MTU of [i] is too small for IPv6. *)

val configuration : t -> configuration
(** [configuration t] is what the routers' advertisements have set now. *)

val pp : Format.formatter -> configuration -> unit

val is_complete : configuration option -> configuration option
(** [is_complete c] is [c] if it has an address. *)

val explain : t option -> link:string -> after:Time.t -> string
(** [explain t ~link ~after] says to a person why there is no address on [link] after that time. *)

val solicitations : t -> int
(** [solicitations t] is how many questions were sent. *)

val most_servers : int
(** 4 *)

val most_domains : int
(** 6 *)

val least_hop_limit : int
(** 64. A smaller hop limit is ignored: a forged one would cut the host off. *)

val heard : t -> now:Time.t -> Interface.t -> router:Ip.t -> Nd.advertisement -> unit
(** [heard t ~now i ~router a] takes the advertisement [a] of [router], a link-local address, if
    {!start} was called for [i]. An MTU below 1280 or above that of the link is ignored. *)

val unreachable : t -> now:Time.t -> Interface.t -> Ip.t -> unit
(** [unreachable t ~now i ip] is {!Router_list.unreachable}. *)

val no_router : t -> now:Time.t -> Interface.t -> Ip.t -> unit
(** [no_router t ~now i ip] is for when [ip] has answered that it is no router (any more): it is
    {!Router_list.gone} (RFC 4861 §7.3.3). *)

val tick : t -> now:Time.t -> unit

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)

(** {1 Telling the driver} *)

val set_wake : t -> (unit -> unit) -> unit
(** As {!Tcp.set_wake}: [wake t] is for when a {!Stack.event} says so of [t]. *)

val wake : t -> unit -> unit
