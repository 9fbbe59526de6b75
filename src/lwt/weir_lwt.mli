(** Weir under Lwt: a host over a link.

    {[
    let* host = Lwt.return (Weir_lwt.host ~link ~address:"10.0.0.11/24" ()) in
    let* c = Weir_lwt.connect host (Ipaddr.of_string_exn "10.0.0.1") ~port:7 |> Weir_lwt.get in
    let* () = Weir_lwt.write_string c "hello" |> Weir_lwt.get in
    Weir_lwt.close c
    ]}

    It is {!Weir_eio} for Lwt, over the same protocol code. A host belongs to the domain that
    created it, which must run Lwt's loop; a call from another raises
    {!Error.exception-Wrong_domain}. *)

module Clock = Clock
module Virtual_clock = Virtual_clock
module Error = Error
module Host = Host
module Connection = Connection
module Datagram = Datagram
module Network = Network
module Channels = Channels
module Mirage_flow = Mirage_flow
module Mirage_udp = Mirage_udp
module Mirage_tcp = Mirage_tcp
module Mirage_ip = Mirage_ip
module Mirage_stack = Mirage_stack
module Mirage_net = Mirage_net
module Conduit_flow = Conduit_flow

type host = Host.t
type connection = Connection.t
type listener = Network.listener

val host :
  ?clock:Clock.t ->
  ?mac:Macaddr.t ->
  ?secret:string ->
  ?gateway:string ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?config:Weir_core.Config.t ->
  ?random:Random.State.t ->
  ?spin_ns:int ->
  ?dhcp:Weir_core.Dhcp_config.t ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  host
(** [host ~link ~address ()] is a host on [link], which it owns. [address] is its address with the
    network's prefix length, such as ["10.0.0.11/24"], or several: ["10.0.0.11/24,fd00::11/64"].
    [gateway], [secret] and the test for duplicates are as for [Weir_eio.host]. With the address
    ["dhcp"], alone or as in ["dhcp,fd00::11/64"], it asks a DHCP server for an IPv4 address, with
    the settings [dhcp], and has none until it has a {!val-lease}. [mac] is by default a random
    locally administered address. [hosts] is a table of names for {!Network.resolve}. Other names
    are resolved by the DNS servers [resolvers], also in the domains [search] (default: none): see
    {!Host.set_resolvers}. [random] makes the host reproducible; by default it is seeded by the
    operating system. [spin_ns] is as in {!Host.create}. The host runs until {!Host.close}.
    @raise Invalid_argument
      if [address] or [gateway] cannot be read, or no host can have [address]: 0.0.0.0/8, loopback,
      multicast, broadcast, the network's own (RFC 1122 §3.2.1.3); if [gateway] is given with
      ["dhcp"]. *)

val attach :
  host ->
  ?mac:Macaddr.t ->
  ?dhcp:Weir_core.Dhcp_config.t ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  Weir_core.Interface.t
(** [attach h ~link ~address ()] gives [h] another interface, on [link], with the address [address].
    A packet leaves by the interface of the route with the longest matching prefix.
    @raise Invalid_argument as {!val-host}. *)

(** {1 DHCP}

    For interfaces with the address ["dhcp"]. The host asks for an address, checks by ARP that no
    other host uses it, renews it, and removes it when the lease ends. Routes and the MTU of the
    lease are added and removed with it. When the host is closed in order, it releases the address.
    [interface] is the interface's number, by default 0.
    @raise Invalid_argument if DHCP was not started on the interface. *)

type lease = Weir_core.Dhcp_lease.t
(** The address, routes, DNS servers, domains, MTU, and when the lease ends. *)

val lease : ?interface:int -> host -> lease option
(** [lease h] is the current lease of [h]. *)

val await_lease :
  ?interface:int -> ?timeout_ns:int -> ?link:string -> host -> (lease, string) result Lwt.t
(** [await_lease h] waits until there is a lease, at most [timeout_ns] (10 s), and longer only while
    an offered address is being checked, by default for 7 s. The error is a message for users that
    says what was missing; [link] is the link's name in it. *)

val lease_after : ?interface:int -> host -> lease option -> lease option Lwt.t
(** [lease_after h l] waits until the lease differs from [l] by [==], because it was renewed,
    changed or lost ([None], also when the host is closed). To follow all changes, call it again
    with its result. *)

(** {1 Configuration by routers}

    For interfaces with the address ["auto"]. The host asks the routers on the link, forms an
    address in each prefix that they advertise for this, and uses their routes, MTU and hop limit.
    It uses their DNS servers and search domains only if the program has set none. All interfaces
    share one configuration. See {!Weir_core.Autoconf}. *)

val autoconf : host -> Weir_core.Autoconf.configuration option
(** [autoconf h] is the current configuration by routers, [None] if no address of [h] is ["auto"].
*)

val await_autoconf :
  ?timeout_ns:int -> ?link:string -> host -> (Weir_core.Autoconf.configuration, string) result Lwt.t
(** [await_autoconf h] waits until [h] has such an address, at most [timeout_ns] (10 s). The error
    is as for {!await_lease}. *)

(** {1 The host} *)

val shutdown : ?timeout_ns:int -> host -> unit Lwt.t
(** [shutdown h] closes every connection in order: see {!Host.shutdown}. *)

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

val ping : host -> ?timeout_ns:int -> ?data_length:int -> sequence:int -> Ipaddr.t -> pong Lwt.t
(** [ping h ~sequence a] sends an ICMP echo request with [data_length] bytes (56) and waits at most
    [timeout_ns] (1 s) for its answer. *)

(** {1 The calls of a socket}

    See {!Network} and {!Connection}. *)

val connect : ?local_port:int -> host -> Ipaddr.t -> port:int -> (connection, Error.t) Lwt_result.t
val connect_by_name : host -> service:string -> string -> (connection, Error.t) Lwt_result.t

val listen :
  ?address:Ipaddr.t -> ?reuse:bool -> host -> port:int -> backlog:int -> (listener, Error.t) result

val accept : listener -> (connection, Error.t) Lwt_result.t
val read : connection -> Bytes.t -> off:int -> len:int -> (int, Error.t) Lwt_result.t
val write : connection -> Bytes.t -> off:int -> len:int -> (unit, Error.t) Lwt_result.t
val write_string : connection -> string -> (unit, Error.t) Lwt_result.t
val close : connection -> unit Lwt.t

val get : ('a, Error.t) result Lwt.t -> 'a Lwt.t
(** [get p] is [p], rejected with {!Error.Error} instead of an [Error]. *)
