(** Where packets go: a host's interfaces, the networks on their links, static routes and default
    gateways, by longest prefix (RFC 1122 §3.3.1), and which addresses are the host's own or
    broadcasts (§3.2.1.3, §3.3.6).

    Redirects and dead gateway detection are not supported. A look-up walks the routes, longest
    prefix first: meant for a host's few, not for a router's table. *)

open Weir_base
open Weir_wire

type t

val create : unit -> t
(** [create ()] is a host without an interface. *)

val generation : t -> int
(** [generation t] is another number after each change of addresses or routes: what was found before
    may be kept as long as it stays. *)

(** {1 Interfaces and their addresses} *)

val add_interface : t -> Random.State.t -> mac:Mac.t -> mtu:int -> Interface.t
(** [add_interface t random ~mac ~mtu] has the next number from 0. See {!Interface.create}. *)

val set_offload : t -> Interface.t -> Offload.t -> unit
(** [set_offload t i o]: from now on packets by [i] may be as [o] says. *)

val interfaces : t -> Interface.t array
val interface : t -> int -> Interface.t

val add_address :
  t ->
  Interface.t ->
  ?state:Interface.state ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Ip.t ->
  prefix_length:int ->
  unit
(** [add_address t i ip ~prefix_length] is {!Interface.add}, and a route to the network on the link.
    Where two interfaces are on one network, packets leave by the first.
    @raise Invalid_argument unless [prefix_length] is 0 to 32, for IPv6 to 128. *)

val remove_address : t -> Interface.t -> Ip.t -> unit
(** [remove_address t i ip]: with the last address of a network go the routes into it and through
    it. *)

val is_own : t -> Ip.t -> bool
(** [is_own t a]: one of the interfaces has it. *)

val is_local : t -> Ip.t -> bool
(** [is_local t a] says that packets to [a] are for this host alone: its address or a loopback one.
*)

val is_broadcast : t -> Ip.t -> bool
(** [is_broadcast t a] says that [a] means every host on a link: 255.255.255.255, or one of
    {!Interface.broadcasts}. *)

val is_source : t -> Ip.t -> bool
(** [is_source t a] says that [a] may be another host's address: not 0.0.0.0, multicast, loopback, a
    broadcast or this host's own. Packets on the link from other sources are to be dropped (RFC 1122
    §3.2.1.3), except those from 0.0.0.0 where a protocol allows it. *)

val accepts : t -> Packet.t -> bool
(** [accepts t p]: [p], which came by a link, is for this host, or a broadcast, from an
    {!is_source}. Like {!is_to_broadcast}, it allocates nothing. *)

val is_to_broadcast : t -> Packet.t -> bool
(** [is_to_broadcast t p] is {!is_broadcast} of [p]'s destination. *)

(** {1 Routes} *)

val add : t -> network:Ip.t -> prefix_length:int -> gateway:Ip.t -> (unit, string) result
(** [add t ~network ~prefix_length ~gateway] sends packets for [network] (its host bits are ignored)
    through [gateway], in place of the route with the same prefix if there was one. [Error] says in
    words what is wrong: the prefix is a link's own, or [gateway] is not a host on a link. *)

val remove : t -> network:Ip.t -> prefix_length:int -> bool
(** [remove t ~network ~prefix_length] says whether there was such a route; a link's own network
    stays. The default gateway is prefix length 0. *)

type via = Nowhere | On_link | Gateway of Ip.t

type route = private {
  network : Ip.t;
  length : int;  (** of the prefix, in bits *)
  via : via;
  interface : int;
}

val find : t -> Ip.t -> route
(** [find t dst] is the route of the longest prefix that holds [dst]; its [via] is [Nowhere] if
    there is none, as for 0.0.0.0 and 127.0.0.0/8, which must not appear on a link. Allocates
    nothing. *)

val leads : route -> bool
(** [leads r]: its [via] is not [Nowhere]. *)

val next_hop : route -> Ip.t -> Ip.t
(** [next_hop r dst] is the host on the link that is to get packets for [dst]: itself, or the
    gateway. *)

val source_for : t -> Ip.t -> Ip.t
(** [source_for t dst] is the address from which packets to [dst] are sent: 127.0.0.1 to loopback
    addresses, [dst] to the host itself, else one of the interface that the route names
    ({!Interface.source_for}). *)

val interface_of_source : t -> Ip.t -> Interface.t
(** [interface_of_source t src] has the address [src]; the first interface if none has: by which
    packets to groups leave. *)

val mtu : t -> Ip.t -> int
(** [mtu t dst] is that of the interface by which packets to [dst] leave, {!longest_mtu} if no route
    says which. *)

val offload : t -> Ip.t -> Offload.t
(** [offload t dst] is that of the interface by which packets to [dst] leave, {!Offload.local} if
    they stay here. *)

val longest_mtu : t -> int
(** [longest_mtu t] is the largest of the interfaces'. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints a line a route, longest prefix first. *)
