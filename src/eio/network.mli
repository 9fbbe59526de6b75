(** A host's network as an [Eio.Net.t]: TCP and UDP over IPv4.

    [getaddrinfo] and [getnameinfo] answer as the system's do where that asks no server: literals,
    "localhost", the host's table, and services of each protocol by number or by name (see
    {!Weir_drive.Names}). A name or service that is not known is [Address_lookup_failed]; an address
    or port without a name is given in digits. IPv6 and Unix-domain addresses raise EAFNOSUPPORT.
    Errors are those of Eio's own backends: see {!Errors}. *)

val of_host : Host.t -> [ `Generic | `Unix ] Eio.Net.ty Eio.Resource.t
(** [of_host h] is [h]'s network, for programs of every domain. *)

(** What stands behind {!of_host}, for a network that forwards to it. *)
module Net : Eio.Net.Pi.NETWORK with type t = Host.t and type tag = [ `Generic | `Unix ]

val connect :
  Host.t -> sw:Eio.Switch.t -> ?local_port:int -> Ipaddr.V4.t -> port:int -> Connection.t
(** [connect h ~sw a ~port] is an established connection.
    @raise Eio.Io if there is none; cancelling resets the half-open connection. *)

(** {1 Listening without [Eio.Net]}

    For programs that know they run on Weir: connections come as they are. *)

type listener

val listen : Host.t -> sw:Eio.Switch.t -> port:int -> backlog:int -> listener
(** [listen h ~sw ~port ~backlog] listens at every address of [h]. *)

val accept : listener -> sw:Eio.Switch.t -> Connection.t
(** [accept l ~sw] waits for a connection; releasing [sw] closes it. *)

val close_listener : listener -> unit
