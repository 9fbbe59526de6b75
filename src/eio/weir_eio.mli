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
(** [host ~sw ~clock ~link ~address ()] is a host on [link], which it then owns.
    - [address] is its address with the network's prefix, as ["10.0.0.11/24"], or several with
      commas, of both families: ["10.0.0.11/24,fd00::11/64"]. With ["dhcp"] in the place of an IPv4
      address the host asks a DHCP server for one, as [dhcp] says, and has none until there is a
      {!val-lease}. With ["auto"] the routers of the link configure IPv6: see {!val-autoconf}.
    - The host also gives itself a link-local IPv6 address. If [secret] is given, this address is
      the same in each run (RFC 7217); nobody else should be able to guess the secret. On a device,
      IPv6 addresses are first tested for duplicates, which takes a second; the first connection
      waits for it.
    - [gateway] is the address of the default gateway, or two, one for each family, with a comma.
    - [mac] is by default a random locally administered address.
    - [hosts] are names that [getaddrinfo] knows. The DNS servers [resolvers] are asked for other
      names, also in the domains [search] (default: none): see {!Host.set_resolvers}.
    - [random] is by default seeded by the operating system. With a seed of yours the host's choices
      are the same in each run.
    - When [sw] ends, the host still sends what was written and closes its connections in order,
      within [linger_ns] (default 5 s).
    - [spin_ns] (default 100 µs) and [seat] are as in {!Host.create}.

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
    see {!Host.attach}. A packet leaves by the interface of its route: the one with the longest
    prefix that contains the destination.
    @raise Invalid_argument as {!val-host}. *)

(** {1 DHCP}

    For a host, or one more interface of it, with the address ["dhcp"]. The host asks for an
    address, checks by ARP that nobody uses it, renews it, and removes it when the lease ends;
    routes and the MTU are set and removed with it. [interface] is the interface's number, by
    default 0. When the host ends in order, it gives the address back.
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
    the link, makes itself an address in each prefix that they advertise for this purpose, and takes
    routes, MTU and hop limit from them. It takes DNS servers and search domains from them only if
    the program has set none. All interfaces share one configuration. See {!Weir_core.Autoconf}. *)

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
    port or a service by name. The host tries the name's addresses by RFC 8305, each a quarter of a
    second after the one before, and the result is the first connection.
    @raise Eio.Io as {!Network.connect_by_name}. *)

val records :
  host ->
  Weir_wire.Dns.Kind.t ->
  string ->
  (Weir_wire.Dns.record list, Weir_drive.Lookup.failure) result
(** [records h SRV "_http._tcp.example.org"] is the list of the name's DNS records of that type.
    Aliases are followed. *)

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

val ping : host -> ?timeout_ns:int -> ?data_length:int -> sequence:int -> Ipaddr.t -> pong
(** [ping h ~sequence a] sends an ICMP echo request with [data_length] bytes (56) and waits at most
    [timeout_ns] (1 s) for its answer. *)
