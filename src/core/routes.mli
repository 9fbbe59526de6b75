(** Where packets go: the network on the link, static routes and a default gateway, by longest
    prefix (RFC 1122 §3.3.1), and which addresses are broadcasts (§3.2.1.3, §3.3.6).

    One interface with one address. Redirects and dead gateway detection are not supported. A
    look-up walks the routes, longest prefix first: meant for a host's few, not for a router's
    table. *)

open Weir_wire

type t

val create : address:Ip4.t -> prefix_length:int -> ?gateway:Ip4.t -> unit -> t
(** [create ~address ~prefix_length ()] is a host [address] on a link that carries the network of
    [prefix_length] bits around it; everything else goes through [gateway].
    @raise Invalid_argument
      unless [prefix_length] is 0 to 32 and [gateway] is another host's address on that network. *)

val address : t -> Ip4.t
val prefix_length : t -> int

val add : t -> network:Ip4.t -> prefix_length:int -> gateway:Ip4.t -> (unit, string) result
(** [add t ~network ~prefix_length ~gateway] sends packets for [network] (its host bits are ignored)
    through [gateway], in place of the route with the same prefix if there was one. [Error] says in
    words what is wrong: the prefix is the link's own, or [gateway] is not a host on the link. *)

val remove : t -> network:Ip4.t -> prefix_length:int -> bool
(** [remove t ~network ~prefix_length] says whether there was such a route; the link's own network
    stays. The default gateway is prefix length 0. *)

val next_hop : t -> Ip4.t -> Ip4.t
(** [next_hop t dst] is the host on the link that is to get packets for [dst]: [dst] itself, also if
    it is multicast or a broadcast, or a gateway; {!Weir_wire.Ip4.any} if there is no route, as for
    0.0.0.0 and 127.0.0.0/8, which must not appear on a link. Allocates nothing. *)

val is_on_link : t -> Ip4.t -> bool
(** [is_on_link t a] says that [a] is in the link's network. *)

val is_local : t -> Ip4.t -> bool
(** [is_local t a] says that packets to [a] are for this host alone: its address or a loopback one.
*)

val is_broadcast : t -> Ip4.t -> bool
(** [is_broadcast t a] says that [a] means every host on the link: 255.255.255.255, the network's
    highest address, or its lowest (the 4.2BSD form, RFC 1122 §3.3.6). A network of 31 or 32 bits
    has no broadcast of its own (RFC 3021). *)

val is_source : t -> Ip4.t -> bool
(** [is_source t a] says that [a] may be another host's address: not 0.0.0.0, multicast, loopback, a
    broadcast or this host's own. Packets on the link from other sources are to be dropped (RFC 1122
    §3.2.1.3), except those from 0.0.0.0 where a protocol allows it. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints a line a route, longest prefix first. *)
