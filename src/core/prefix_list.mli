(** The prefixes that routers advertise for a host's links: networks that are on the link (RFC 4861
    §6.3.4), and networks in which the host makes itself an address (RFC 4862 §5.5).

    Such an address is a {!Stable_address} and comes with no network on the link (RFC 5942 §4):
    whether there is one the router says. *)

open Weir_base
open Weir_wire

type t

val create : Routes.t -> Dad.t -> t

val most : int
(** The most prefixes of an interface: 8. Others are ignored. *)

val heard : t -> now:Time.t -> Interface.t -> Nd.prefix -> unit
(** [heard t ~now i p] takes one prefix of an advertisement that [i] received. A network of all
    addresses, a link-local, loopback or multicast one is ignored. An address is made only of a
    prefix of 64 bits whose preferred lifetime is at most its valid one. An advertisement shortens
    the valid lifetime of an address to two hours at least (RFC 4862 §5.5.3 e). *)

val until : now:Time.t -> int -> Time.t
(** [until ~now seconds] is the end of a lifetime, {!Time.never} for [0xffff_ffff]. *)

val addresses : t -> Ip.t list
(** [addresses t] is the addresses that were made and are not tentative. *)

val tick : t -> now:Time.t -> unit
val deadline : t -> Time.t
