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
module Interception = Interception

type host = Host.t

val host :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?mac:Macaddr.t ->
  ?gateway:string ->
  ?hosts:(string * Ipaddr.t) list ->
  ?config:Weir_core.Config.t ->
  ?random:Random.State.t ->
  ?linger_ns:int ->
  ?seat:Weir_drive.Exchange.seat ->
  ?spin_ns:int ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  host
(** [host ~sw ~clock ~link ~address ()] is a host with IPv4 address and network [address] (as
    ["10.0.0.11/24"]) on [link], which it owns. [mac] is by default a random locally administered
    address. [hosts] are names that [getaddrinfo] knows. [random] makes it reproducible; by default
    it is seeded by the operating system. When [sw] ends, what was written is still sent and
    connections are closed in order, within [linger_ns] (5 s). Before it blocks the host may look
    for frames for [spin_ns] (100 µs). See {!Host.create}.
    @raise Invalid_argument
      if [address] or [gateway] cannot be read, or no host can have [address]: 0.0.0.0/8, loopback,
      multicast, broadcast, the network's own (RFC 1122 §3.2.1.3). *)

val attach :
  host ->
  sw:Eio.Switch.t ->
  ?mac:Macaddr.t ->
  link:#Weir_link.Link.t ->
  address:string ->
  unit ->
  Weir_core.Interface.t
(** [attach h ~sw ~link ~address ()] puts [h] on another link, with another address and network: see
    {!Host.attach}. Packets leave by the interface whose network, or whose gateway, has the longest
    prefix.
    @raise Invalid_argument as {!val-host}. *)

val net : host -> [ `Generic ] Eio.Net.ty Eio.Resource.t
(** [net h] is [h]'s network: see {!Network}. Every domain may use it. *)

val unix_net : host -> [ `Generic | `Unix ] Eio.Net.ty Eio.Resource.t
(** [unix_net h] is {!net}[ h] for programs that ask for an [Eio_unix.Net.t]. Its sockets have no
    file descriptor: [Eio_unix.Resource.fd_opt] is [None]. *)

val shutdown : ?timeout_ns:int -> host -> unit
(** [shutdown h] closes every connection in order: see {!Host.shutdown}. *)

type pong = Weir_drive.Pump.pong =
  | Reply of { bytes : int; ttl : int; rtt_ns : int }
  | Failed of string
  | Lost

val ping : host -> ?timeout_ns:int -> ?data_length:int -> sequence:int -> Ipaddr.t -> pong
(** [ping h ~sequence a] sends an ICMP echo request with [data_length] bytes (56) and waits at most
    [timeout_ns] (1 s) for its answer. *)
