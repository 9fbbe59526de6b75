(** The routing table of a host: its interfaces, the networks on their links, static routes and
    default gateways, by longest prefix (RFC 1122 §3.3.1). It also knows which addresses are the
    host's own or broadcasts (§3.2.1.3, §3.3.6).

    {!Redirects} and {!Autoconf} change it, too. A look-up is a linear search, longest prefix first:
    it suits the few routes of a host, not a router's table. *)

open Weir_base
open Weir_wire

type t

val create : unit -> t
(** [create ()] is a host without an interface. *)

val generation : t -> int
(** [generation t] changes with every change of addresses or routes. Cached results are valid while
    it stays the same. *)

(** {1 Interfaces and their addresses} *)

val add_interface : t -> Random.State.t -> mac:Mac.t -> mtu:int -> Interface.t
(** [add_interface t random ~mac ~mtu] is a new interface; numbers count from 0. See
    {!Interface.create}. *)

val changed : t -> unit
(** [changed t] changes {!generation}: something that depends on the routes is to be read again. *)

val set_offload : t -> Interface.t -> Offload.by_family -> unit
(** [set_offload t i o] sets the offloads of packets that leave by [i]. *)

val set_mtu : t -> Interface.t -> int -> unit
(** [set_mtu t i n] makes [n] the MTU of packets that leave by [i]: at least 576, or 1,280 if [i]
    has an IPv6 address, and at most that of its link. *)

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
(** [add_address t i ip ~prefix_length] is {!Interface.add}, plus a route to the network on the
    link. If two interfaces are on the same network, packets leave by the first.
    @raise Invalid_argument unless [prefix_length] is 0 to 32, for IPv6 to 128. *)

val remove_address : t -> Interface.t -> Ip.t -> unit
(** [remove_address t i ip] removes the address. With the last address of a network, the routes to
    it and through it are removed too. *)

val is_own : t -> Ip.t -> bool
(** [is_own t a] is true if an interface has the address [a]. *)

val is_local : t -> Ip.t -> bool
(** [is_local t a] is true if packets to [a] stay in this host: [a] is its own or a loopback
    address. *)

val is_broadcast : t -> Ip.t -> bool
(** [is_broadcast t a] is true if [a] is 255.255.255.255 or one of {!Interface.broadcasts}. *)

val is_source : t -> Ip.t -> bool
(** [is_source t a] is true if [a] may be the address of another host: it is not 0.0.0.0 or [::],
    multicast, loopback, a broadcast or this host's own. Packets from other sources must be dropped
    (RFC 1122 §3.2.1.3), except from 0.0.0.0 where a protocol allows it. *)

val set_transparent : t -> bool -> unit
(** [set_transparent t on] makes {!accepts} true for every unicast destination. *)

val is_transparent : t -> bool

val set_router : t -> bool -> unit
(** [set_router t on] says whether the host forwards packets. A router hears the group of all
    routers (RFC 4291 §2.8), and says what it is in neighbour discovery (RFC 4861 §4.4). *)

val is_router : t -> bool

val set_joined : t -> Ip.t list -> unit
(** [set_joined t l] is for {!Groups}: the groups of programs on this host. *)

val set_watch : t -> (unit -> unit) -> unit
(** [set_watch t f] has [f] called after each change of addresses; for {!Groups}. *)

val accepts : t -> Packet.t -> bool
(** [accepts t p] is true if [p], received from a link, is for this host, a broadcast, or a group
    that the host is in on some interface, and {!is_source} is true of its source; for a group the
    source may also be [::] or 0.0.0.0 (RFC 4861 §4.3, RFC 9776 §4.1.12). From 0.0.0.0 a packet to
    255.255.255.255 is accepted: so hosts without an address ask for one (RFC 1122 §3.2.1.3 (a)).
    The groups are those of {!set_joined}, that of all hosts and all nodes, and those of neighbour
    discovery for the host's addresses, the tentative ones too (RFC 4291 §2.8); a router's is also
    that of all routers. Like {!is_to_group}, it does not allocate. *)

val is_to_group : t -> Packet.t -> bool
(** [is_to_group t p] is true if [p]'s destination {!is_broadcast} or is a multicast group. *)

(** {1 Routes} *)

val add :
  ?on:Interface.t -> t -> network:Ip.t -> prefix_length:int -> gateway:Ip.t -> (unit, string) result
(** [add t ~network ~prefix_length ~gateway] sends packets for [network] (its host bits are ignored)
    through [gateway], which is on the link of [on], by default that with its network. It replaces a
    route with the same prefix. [Error] is a message: the prefix is the network of a link, or
    [gateway] is not a host on a link. *)

val remove : t -> network:Ip.t -> prefix_length:int -> bool
(** [remove t ~network ~prefix_length] removes the route and is true if there was one. The network
    of a link cannot be removed. The default gateway has prefix length 0. *)

val add_on_link : t -> Interface.t -> network:Ip.t -> prefix_length:int -> unit
(** [add_on_link t i ~network ~prefix_length] says that the network is on the link of [i], although
    no address of [i] is in it (RFC 3442, RFC 4861 §6.3.4). A network of IPv4 goes with any address
    that is removed from [i]. *)

val remove_on_link : t -> Interface.t -> network:Ip.t -> prefix_length:int -> unit
(** [remove_on_link t i …] undoes {!add_on_link}. The networks of addresses stay. *)

type via = Nowhere | On_link | Gateway of Ip.t

type route = private {
  network : Ip.t;
  length : int;  (** of the prefix, in bits *)
  via : via;
  interface : int;
}

val find : t -> Ip.t -> route
(** [find t dst] is the route with the longest prefix that matches [dst]. Its [via] is [Nowhere] if
    there is none, and always for 0.0.0.0 and 127.0.0.0/8, which must not appear on a link. It does
    not allocate. *)

val find_from : t -> src:Ip.t -> Ip.t -> route
(** [find_from t ~src dst] is {!find}[ t dst], but a route that is [On_link] leads out of the
    interface with the address [src]: for link-local addresses, which every link has. *)

val exact : t -> network:Ip.t -> prefix_length:int -> route option
(** [exact t ~network ~prefix_length] is the route with this prefix. *)

val leads : route -> bool
(** [leads r] is true if [via] is not [Nowhere]. *)

val next_hop : route -> Ip.t -> Ip.t
(** [next_hop r dst] is the host on the link to which packets for [dst] are sent: [dst] itself, or
    the gateway. *)

val source_for : t -> Ip.t -> Ip.t
(** [source_for t dst] is the source address of packets to [dst]: 127.0.0.1 or [::1] for loopback
    addresses, [dst] for the host itself, else an address of the route's interface
    ({!Interface.source_for}). *)

val interface_of_source : t -> Ip.t -> Interface.t
(** [interface_of_source t src] is the interface with the address [src], else the first interface.
    Packets to groups leave by it. *)

val mtu : t -> Ip.t -> int
(** [mtu t dst] is the MTU of the interface for packets to [dst], {!longest_mtu} if there is no
    route. *)

val offload : t -> Ip.t -> Offload.t
(** [offload t dst] is the offloads of the interface for packets to [dst], {!Offload.local} if they
    stay in the host. *)

val longest_mtu : t -> int
(** [longest_mtu t] is the largest MTU of the interfaces' links. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints one line for each route, longest prefix first. *)
