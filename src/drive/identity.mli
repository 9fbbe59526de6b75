(** A host's settings, parsed from the user's text, and its random generator. *)

val system_random : unit -> Random.State.t
(** [system_random ()] is seeded with 512 bits of the operating system. *)

val host_address : string -> (Ipaddr.V4.Prefix.t, string) result
(** [host_address "10.0.0.11/24"] parses a host's address and network. The error is a sentence: the
    text is not valid, or no host can have the address (RFC 1122 §3.2.1.3): 0.0.0.0/8, loopback,
    multicast, broadcast, the network's own address. *)

val config : unit -> Weir_core.Config.t
(** [config ()] is {!Weir_core.Config.default} with [memory] at most a quarter of the machine's. *)

val random_mac : Random.State.t -> Weir_wire.Mac.t
(** [random_mac r] is a locally administered unicast address. *)

val network : string -> Ipaddr.V4.Prefix.t
(** [network a] is that of {!host_address}.
    @raise Invalid_argument if it is an error. *)

val dhcp : string
(** ["dhcp"], in place of an address: a DHCP server is asked. *)

val mac_or_random : random:Random.State.t -> Macaddr.t option -> Weir_wire.Mac.t
(** [mac_or_random ~random m] is [m], or a {!random_mac}. *)

val settings :
  random:Random.State.t ->
  mtu:int ->
  config:Weir_core.Config.t ->
  ?mac:Macaddr.t ->
  ?gateway:string ->
  string ->
  Weir_core.Stack.settings
(** [settings ~random ~mtu ~config address] has IPv4 address and network [address] (as
    ["10.0.0.11/24"]), or none if it is {!dhcp}; and a random locally administered [mac] unless
    given.
    @raise Invalid_argument
      if [address] is an error of {!host_address}, [gateway] cannot be read, or there is one
      although [address] is {!dhcp}. *)
