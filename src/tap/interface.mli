(** Configures the kernel's side of a network interface (netdevice(7)), so that a program can use a
    TAP without the [ip] command. All changes need CAP_NET_ADMIN. *)

val set_up : string -> (unit, Error.t) result
(** [set_up name] brings the interface up. *)

val set_down : string -> (unit, Error.t) result
val is_up : string -> (bool, Error.t) result

val set_address : string -> Ipaddr.t -> prefix:int -> (unit, Error.t) result
(** [set_address name a ~prefix] gives the interface the address [a] with a prefix of [prefix] bits.
    The kernel adds a route to that network once the interface is up. An IPv4 address replaces the
    old one. An IPv6 address is added to the others and is usable after duplicate address detection,
    about a second. The error is [System] with EINVAL if [prefix] is out of range. *)

val bring_up : string -> (unit, Error.t) result
(** [bring_up name] is {!set_up} if the interface is down. If it is up, no permission is needed. *)

val address : string -> (Ipaddr.V4.Prefix.t option, Error.t) result
(** [address name] is the interface's IPv4 address and prefix, if it has one. *)

val reaches : string -> Ipaddr.Prefix.t -> (unit, Error.t) result
(** [reaches name network] is [Ok ()] if the kernel sends packets for the host
    [Ipaddr.Prefix.address network] through the interface. Otherwise it is {!Error.Unreachable},
    with a command that changes this: the interface is down, or it has no address in [network], no
    route to it, and is not a port of a bridge. *)

val mtu : string -> (int, Error.t) result
val set_mtu : string -> int -> (unit, Error.t) result
val hardware_address : string -> (Macaddr.t, Error.t) result
