(** A host's settings, parsed from the user's text, and its random generator. *)

val system_random : unit -> Random.State.t
(** [system_random ()] is seeded with 512 bits of the operating system. *)

val host_address : string -> (Ipaddr.Prefix.t, string) result
(** [host_address "10.0.0.11/24"] parses a host's address and network, of either family. The error
    is a sentence: the text is not valid, or no host can have the address (RFC 1122 §3.2.1.3, RFC
    4291 §2.5, §2.6.1): 0.0.0.0/8, [::], loopback, multicast, broadcast, the network's own address.
*)

val host_addresses : string -> (Ipaddr.Prefix.t list, string) result
(** [host_addresses "10.0.0.11/24,fd00::11/64"] parses several, with commas between them. *)

val config : Weir_link.Link.t -> Weir_core.Config.t option -> Weir_core.Config.t
(** [config link (Some c)] is [c], with [dad_transmits] set for [link] unless [c] says: 1, but 0 if
    [link] is in memory (its readiness is {!Weir_link.Link.Notify}). [None] stands for
    {!Weir_core.Config.default} with [memory] at most a quarter of the machine's. *)

val random_mac : Random.State.t -> Weir_wire.Mac.t
(** [random_mac r] is a locally administered unicast address. *)

val networks : string -> Ipaddr.Prefix.t list
(** [networks a] is those of {!host_addresses}.
    @raise Invalid_argument if it is an error. *)

val dhcp : string
(** ["dhcp"], in place of an address: a DHCP server is asked. *)

val wants_dhcp : string -> bool
(** [wants_dhcp addresses] is true if {!dhcp} is one of them. *)

val auto : string
(** ["auto"], in place of an address: routers configure IPv6 ({!Weir_core.Autoconf}). *)

val wants_auto : string -> bool
(** [wants_auto addresses] is true if {!auto} is one of them. *)

val gateways : string -> Ipaddr.t list
(** [gateways "10.0.0.1,fd00::1"] parses addresses with commas between them.
    @raise Invalid_argument if one cannot be read. *)

val check_gateways : string -> Ipaddr.t list -> unit
(** [check_gateways addresses gateways] refuses an IPv4 gateway besides {!dhcp} and an IPv6 one
    besides {!auto}.
    @raise Invalid_argument so. *)

val mac_or_random : random:Random.State.t -> Macaddr.t option -> Weir_wire.Mac.t
(** [mac_or_random ~random m] is [m], or a {!random_mac}. *)

val mac_or_any : Macaddr.t option -> Weir_wire.Mac.t
(** [mac_or_any m] is [m], or a {!random_mac} of the {!system_random}, which is read only then. *)

val settings :
  random:Random.State.t ->
  mtu:int ->
  config:Weir_core.Config.t ->
  ?mac:Macaddr.t ->
  ?secret:string ->
  ?gateway:string ->
  string ->
  Weir_core.Stack.settings
(** [settings ~random ~mtu ~config addresses] has the [addresses], with their networks (as
    ["10.0.0.11/24,fd00::11/64"]; {!dhcp} and {!auto} among them are left out), the gateways of
    [gateway] (one for each family, with a comma), and a random locally administered [mac] unless
    given. The addresses that the host makes come from [secret], or else from [random].
    @raise Invalid_argument
      if [addresses] is an error of {!host_addresses}, [gateway] cannot be read, or there is an IPv4
      one besides {!dhcp} or an IPv6 one besides {!auto}. *)
