(** Opens and accepts TCP connections, over IPv4 and IPv6. A listener at [::] accepts both. *)

val connect :
  ?local_port:int -> Host.t -> Ipaddr.t -> port:int -> (Connection.t, Error.t) Lwt_result.t
(** [connect h a ~port] is an established connection. It fails with [Port_in_use] if a listener or a
    connection has [local_port]. Cancelling it resets the half-open connection. *)

type listener

val listen :
  ?address:Ipaddr.t ->
  ?reuse:bool ->
  Host.t ->
  port:int ->
  backlog:int ->
  (listener, Error.t) result
(** [listen h ~port ~backlog] listens at [address], or at every address of [h], of both families.
    Port 0 means a free one. It fails with [Port_in_use] if another listener, or a connection in any
    state, has the port. With [reuse] (default true), connections of an earlier listener with
    [reuse] do not count. *)

val port : listener -> int

val accept : listener -> (Connection.t, Error.t) Lwt_result.t
(** [accept l] waits for a connection. It fails with [Closed_locally] once [l] or its host is
    closed. *)

val close_listener : listener -> unit Lwt.t
(** [close_listener l] resets connections that were not accepted yet. Idempotent. *)

val serve :
  ?max_connections:int ->
  ?on_error:(exn -> unit) ->
  listener ->
  (Connection.t -> unit Lwt.t) ->
  unit Lwt.t
(** [serve l f] runs [f c] for each connection [c], at most [max_connections] (10,000) at a time;
    others wait in the backlog. [c] is closed when [f c] is resolved. An exception of [f] is passed
    to [on_error] (default: {!Lwt.async_exception_hook}) and ends that connection only. [serve] is
    resolved when [l] or its host is closed and the last [f c] has ended. Cancelling it stops
    accepting. *)

(** {1 Names}

    Names are resolved from literals, ["localhost"] and the host's table (see {!Weir_drive.Names}),
    and then, if the host has resolvers, by DNS (see {!Weir_drive.Lookup}). Cancelling a promise
    ends its lookup. *)

type protocol = Weir_drive.Names.protocol = Tcp | Udp

val resolve : Host.t -> string -> (Ipaddr.t list, Weir_drive.Lookup.failure) Lwt_result.t
(** [resolve h name] is the addresses of a literal or a name, best first. *)

val getaddrinfo :
  ?service:string ->
  Host.t ->
  string ->
  ((protocol * Ipaddr.t * int) list, Error.lookup) Lwt_result.t
(** [getaddrinfo h ?service node] is the addresses of [node] with the port of [service], for each
    protocol that has the service, TCP first; never [Ok []]. *)

val getnameinfo : Host.t -> protocol -> Ipaddr.t * int -> (string * string) Lwt.t
(** [getnameinfo h p (a, port)] is the name of [a] and the name of the service at [port] of [p].
    Either is in digits if it has no name. *)

val records :
  Host.t ->
  Weir_wire.Dns.Kind.t ->
  string ->
  (Weir_wire.Dns.record list, Weir_drive.Lookup.failure) Lwt_result.t
(** [records h SRV "_http._tcp.example.org"] is the records of that type, by DNS. Aliases are
    followed. *)

val connect_by_name : Host.t -> service:string -> string -> (Connection.t, Error.t) Lwt_result.t
(** [connect_by_name h ~service:"443" "example.org"] connects to a name, or an address in digits, at
    a port or a service by name. The addresses are tried by RFC 8305, each 250 ms after the one
    before, and the first connection is used: see {!Weir_drive.Eyeballs}. *)
