(** The kernel's side of a network interface, by name (netdevice(7)): what a program needs to put a
    TAP to use without the [ip] command. Changing anything needs CAP_NET_ADMIN. *)

val set_up : string -> (unit, Error.t) result
(** [set_up name] brings the interface up. *)

val set_down : string -> (unit, Error.t) result
val is_up : string -> (bool, Error.t) result

val set_address : string -> Ipaddr.t -> prefix:int -> (unit, Error.t) result
(** [set_address name a ~prefix] gives the interface the address [a] in a network of [prefix] bits,
    to which the kernel adds a route once it is up. An IPv4 address replaces the one before, an IPv6
    address is added to the others (and is not used for about a second, while the kernel looks for
    another holder). It is a [System] error with EINVAL if [prefix] is out of range. *)

val bring_up : string -> (unit, Error.t) result
(** [bring_up name] is {!set_up}, if it is not up: no permission is needed for what is so. *)

val address : string -> (Ipaddr.V4.Prefix.t option, Error.t) result
(** [address name] is the interface's IPv4 address with its network, if it has one. *)

val reaches : string -> Ipaddr.V4.Prefix.t -> (unit, Error.t) result
(** [reaches name network] is an error ({!Error.Unreachable}, with the command that helps) if the
    kernel sends nothing for the host [Ipaddr.V4.Prefix.address network] through the interface: it
    is down, or neither has an address in [network] nor a route there, nor is it a bridge's port. *)

val mtu : string -> (int, Error.t) result
val set_mtu : string -> int -> (unit, Error.t) result
val hardware_address : string -> (Macaddr.t, Error.t) result
