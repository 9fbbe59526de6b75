(** A host's network as an [Eio.Net.t]: TCP and UDP over IPv4 and IPv6.

    [getaddrinfo] and [getnameinfo] answer like the system's functions: first from literals,
    "localhost" and the host's table, and services of each protocol by number or by name (see
    {!Weir_drive.Names}); then, if the host has resolvers, by DNS (see {!Weir_drive.Lookup}).
    [Address_lookup_failed] has the C library's error: an unknown service (SERVICE), a name that
    does not exist (NONAME) or has no address (NODATA), no answer (AGAIN), a question that is
    refused (FAIL). An address or port without a name is given in digits. Unix-domain addresses
    raise EAFNOSUPPORT. An invalid port raises EINVAL.

    {b Both families.} A socket bound to [::] also takes IPv4, as on Linux: the address of an IPv4
    peer is then shown as [::ffff:10.0.0.1] (RFC 3493 §3.7), and such addresses are accepted
    everywhere. So a port at [::] is in use at 0.0.0.0 too, and the other way round. A socket bound
    to 0.0.0.0 takes IPv4 only. Errors are those of Eio's own backends: see {!Errors}.

    A listener queues one connection more than its backlog, as on Linux. With a negative backlog it
    queues 4,096. A port can be bound again as on Linux: either all sockets on it have SO_REUSEADDR
    and none listens, or all have SO_REUSEPORT. A call with a switch that has ended raises and has
    no effect. *)

val of_host : Host.t -> [ `Generic | `Unix ] Eio.Net.ty Eio.Resource.t
(** [of_host h] is [h]'s network, for programs of every domain. *)

(** The implementation of {!of_host}, for a network that forwards to it. *)
module Net : Eio.Net.Pi.NETWORK with type t = Host.t and type tag = [ `Generic | `Unix ]

val connect : Host.t -> sw:Eio.Switch.t -> ?local_port:int -> Ipaddr.t -> port:int -> Connection.t
(** [connect h ~sw a ~port] is an established connection. [local_port] is by default a free one.
    Cancelling resets the half-open connection.
    @raise Eio.Io if no connection can be made. *)

val connect_by_name : Host.t -> sw:Eio.Switch.t -> service:string -> string -> Connection.t
(** [connect_by_name h ~sw ~service node] is a connection to the first address of [node] that
    answers, as RFC 8305 tries them: see {!Weir_drive.Eyeballs}.
    @raise Eio.Io as [getaddrinfo], or as the last attempt. *)

(** {1 Listening without [Eio.Net]}

    For programs that use Weir directly: {!accept} returns a {!Connection.t}. *)

type listener

val listen : Host.t -> sw:Eio.Switch.t -> port:int -> backlog:int -> listener
(** [listen h ~sw ~port ~backlog] listens at every address of [h], of both families, until [sw]
    ends. Port 0 is a free one.
    @raise Eio.Io with EADDRINUSE if another listener has the port, or no port is free. *)

val accept : listener -> sw:Eio.Switch.t -> Connection.t
(** [accept l ~sw] waits for a connection; releasing [sw] closes it. *)

val close_listener : listener -> unit
