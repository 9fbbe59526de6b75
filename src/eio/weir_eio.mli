(** Weir under Eio: a host over a link, whose network any Eio program can use.

    {[
    Eio_main.run @@ fun env ->
    Switch.run @@ fun sw ->
    let host = Weir_eio.host ~sw ~clock:env#mono_clock ~link ~address:"10.0.0.11/24" () in
    my_server ~net:(Weir_eio.net host)
    ]} *)

module Host = Host
module Connection = Connection
module Network = Network
module Errors = Errors
module Flows = Flows
module Tcp_options = Tcp_options
module Udp_options = Udp_options
module Interception = Interception

type host = Host.t

val host :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?mac:Macaddr.t ->
  ?secret:string ->
  ?gateway:string ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?config:Weir_core.Config.t ->
  ?random:Random.State.t ->
  ?linger_ns:int ->
  ?seat:Weir_drive.Exchange.seat ->
  ?spin_ns:int ->
  ?dhcp:Weir_core.Dhcp_config.t ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  host
(** [host ~sw ~clock ~link ~address ()] is a host with the address and network [address] (as
    ["10.0.0.11/24"], or several, of both families: ["10.0.0.11/24,fd00::11/64"]) on [link], which
    it owns. [gateway] is the default gateway, or one for each family, with a comma. The host also
    gives itself a link-local IPv6 address. With a [secret] that nobody guesses that address is the
    same in each run (RFC 7217). On a device, IPv6 addresses are tested for duplicates first; that
    takes a second, for which the first connection waits. With ["dhcp"] as an address, alone or as
    in ["dhcp,fd00::11/64"], it asks a DHCP server for an IPv4 address, as [dhcp] says, and has none
    until it has a {!val-lease}. [mac] is by default a random locally administered address. [hosts]
    are names that [getaddrinfo] knows; other names are asked of the DNS servers [resolvers], also
    in the domains [search] (by default there are none): see {!Host.set_resolvers}. [random] makes
    it reproducible; by default it is seeded by the operating system. When [sw] ends, what was
    written is still sent and connections are closed in order, within [linger_ns] (5 s). Before it
    blocks the host may look for frames for [spin_ns] (100 µs). See {!Host.create}.
    @raise Invalid_argument
      if [address] or [gateway] cannot be read, or no host can have [address]: 0.0.0.0/8, loopback,
      multicast, broadcast, the network's own (RFC 1122 §3.2.1.3); if [gateway] or [seat] is given
      with ["dhcp"]. *)

val attach :
  host ->
  sw:Eio.Switch.t ->
  ?mac:Macaddr.t ->
  ?dhcp:Weir_core.Dhcp_config.t ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  Weir_core.Interface.t
(** [attach h ~sw ~link ~address ()] puts [h] on another link, with other addresses and networks:
    see {!Host.attach}. Packets leave by the interface whose network, or whose gateway, has the
    longest prefix.
    @raise Invalid_argument as {!val-host}. *)

(** {1 DHCP}

    For a host, or one more interface of it, with the address ["dhcp"]. The host asks for an
    address, checks by ARP that nobody uses it, renews it, and removes it when its time is over;
    routes and the MTU come and go with it. [interface] is the interface's number, by default 0. A
    clean end of the host gives the address back.
    @raise Invalid_argument if DHCP was not started on the interface. *)

type lease = Weir_core.Dhcp_lease.t
(** The address, routes, DNS servers, domains, MTU, and until when. *)

val lease : ?interface:int -> host -> lease option
(** [lease h] is what [h] has now. *)

val await_lease :
  ?interface:int -> ?timeout_ns:int -> ?link:string -> host -> (lease, string) result
(** [await_lease h] waits until there is a lease, at most [timeout_ns] (10 s); longer only while an
    offered address is being checked, 7 s by default. The error is a sentence for a person that says
    what was missing on [link], its name. *)

val lease_after : ?interface:int -> host -> lease option -> lease option
(** [lease_after h l] waits until the lease is another than [l], compared by [==]: renewed, changed
    or ([None]) lost. To follow all changes, call it again with its result. *)

(** {1 Configuration by routers}

    For a host, or one more interface of it, with the address ["auto"]. The host asks the routers on
    the link, makes itself an address in each prefix that they advertise for that, and takes routes,
    MTU and hop limit from them; DNS servers and search domains only while the program chose none.
    All interfaces share one configuration. See {!Weir_core.Autoconf}. *)

val autoconf : host -> Weir_core.Autoconf.configuration option
(** [autoconf h] is what the routers have set now, [None] if no address of [h] is ["auto"]. *)

val await_autoconf :
  ?timeout_ns:int -> ?link:string -> host -> (Weir_core.Autoconf.configuration, string) result
(** [await_autoconf h] waits until [h] has an address that it made, at most [timeout_ns] (10 s). The
    error is a sentence for a person that says what was missing on [link], its name. *)

(** {1 The network} *)

val net : host -> [ `Generic ] Eio.Net.ty Eio.Resource.t
(** [net h] is [h]'s network: see {!Network}. Every domain may use it. *)

val unix_net : host -> [ `Generic | `Unix ] Eio.Net.ty Eio.Resource.t
(** [unix_net h] is {!net}[ h] for programs that ask for an [Eio_unix.Net.t]. Its sockets have no
    file descriptor: [Eio_unix.Resource.fd_opt] is [None]. *)

val shutdown : ?timeout_ns:int -> host -> unit
(** [shutdown h] closes every connection in order: see {!Host.shutdown}. *)

val connect : host -> sw:Eio.Switch.t -> service:string -> string -> Connection.t
(** [connect h ~sw ~service:"443" "example.org"] connects to a name, or an address in digits, at a
    port or a service by name. The name's addresses are tried as RFC 8305 has it, each a quarter of
    a second after the one before, and the first connection is taken.
    @raise Eio.Io as {!Network.connect_by_name}. *)

val records :
  host ->
  Weir_wire.Dns.Kind.t ->
  string ->
  (Weir_wire.Dns.record list, Weir_drive.Lookup.failure) result
(** [records h SRV "_http._tcp.example.org"] are the records of that type, by DNS. Aliases are
    followed. *)

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

val ping : host -> ?timeout_ns:int -> ?data_length:int -> sequence:int -> Ipaddr.t -> pong
(** [ping h ~sequence a] sends an ICMP echo request with [data_length] bytes (56) and waits at most
    [timeout_ns] (1 s) for its answer. *)
