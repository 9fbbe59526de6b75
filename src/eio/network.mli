(** A host's network as an [Eio.Net.t]: TCP and UDP over IPv4.

    [getaddrinfo] and [getnameinfo] answer as the system's do where that asks no server: literals,
    "localhost", the host's table, and services of each protocol by number or by name (see
    {!Weir_drive.Names}). A name or service that is not known is [Address_lookup_failed]; an address
    or port without a name is given in digits. IPv6 and Unix-domain addresses raise
    [Eio.Net.Connection_failure] with a reason that says so. *)

val of_host : Host.t -> [ `Generic ] Eio.Net.ty Eio.Resource.t
(** [of_host h] is [h]'s network. All its sockets belong to the domain that runs [h]. *)

(** What stands behind {!of_host}, for a network that forwards to it. *)
module Net : Eio.Net.Pi.NETWORK with type t = Host.t and type tag = [ `Generic ]

val connect :
  Host.t -> sw:Eio.Switch.t -> ?local_port:int -> Ipaddr.V4.t -> port:int -> Connection.t
(** [connect h ~sw a ~port] is an established connection.
    @raise Eio.Io with [Connection_failure]; cancelling resets the half-open connection. *)

(** {1 Listening without [Eio.Net]}

    For programs that know they run on Weir: connections come as they are. *)

type listener

val listen : Host.t -> sw:Eio.Switch.t -> port:int -> backlog:int -> listener
(** [listen h ~sw ~port ~backlog] listens at every address of [h]. *)

val accept : listener -> Weir_core.Tcp.connection
(** [accept l] waits for a connection, which the caller hands to {!Connection.make}. *)

val close_listener : listener -> unit
