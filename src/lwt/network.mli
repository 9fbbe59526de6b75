(** Opening TCP connections, both ways, over IPv4 and IPv6. A listener at [::] takes both. *)

val connect :
  ?local_port:int -> Host.t -> Ipaddr.t -> port:int -> (Connection.t, Error.t) Lwt_result.t
(** [connect h a ~port] is an established connection. [Port_in_use] if there is a listener at
    [local_port] or a connection is there. Cancelling it resets the half-open one. *)

type listener

val listen :
  ?address:Ipaddr.t ->
  ?reuse:bool ->
  Host.t ->
  port:int ->
  backlog:int ->
  (listener, Error.t) result
(** [listen h ~port ~backlog] listens at [address], or at every address of [h], of both families.
    Port 0 takes a free one. No connection may be at the port in any state, except with [reuse]
    (default true) those whose listener had it too. *)

val port : listener -> int

val accept : listener -> (Connection.t, Error.t) Lwt_result.t
(** [accept l] waits for a connection. [Closed_locally] once [l], or its host, is closed. *)

val close_listener : listener -> unit Lwt.t
(** [close_listener l] is idempotent; connections not yet accepted are reset. *)

val serve :
  ?max_connections:int ->
  ?on_error:(exn -> unit) ->
  listener ->
  (Connection.t -> unit Lwt.t) ->
  unit Lwt.t
(** [serve l f] runs [f c] for each connection [c] that comes, at most [max_connections] (10,000) at
    a time; others wait in the backlog. [c] is closed when [f c] is resolved. What [f] raises goes
    to [on_error] (default: {!Lwt.async_exception_hook}), and ends that connection only. It is
    resolved when [l], or its host, is closed and the last [f c] has ended. Cancelling it stops
    accepting. *)

(** {1 Names}

    Resolved like the system's functions: first from literals, ["localhost"] and the host's table
    (see {!Weir_drive.Names}), then, if the host has resolvers, by DNS (see {!Weir_drive.Lookup}).
    Cancelling a promise ends its lookup. *)

type protocol = Weir_drive.Names.protocol = Tcp | Udp

val resolve : Host.t -> string -> (Ipaddr.t list, Weir_drive.Lookup.failure) Lwt_result.t
(** [resolve h name] is the addresses of a literal or a name, best first. *)

val getaddrinfo :
  ?service:string ->
  Host.t ->
  string ->
  ((protocol * Ipaddr.t * int) list, Error.lookup) Lwt_result.t
(** [getaddrinfo h ?service node] is [node]'s addresses with the port of [service] in each protocol
    that knows it, TCP first; never [Ok []]. *)

val getnameinfo : Host.t -> protocol -> Ipaddr.t * int -> (string * string) Lwt.t
(** [getnameinfo h p (a, port)] is [a]'s name for [h] and the service's at [port] over [p], each in
    digits if there is none. *)

val records :
  Host.t ->
  Weir_wire.Dns.Kind.t ->
  string ->
  (Weir_wire.Dns.record list, Weir_drive.Lookup.failure) Lwt_result.t
(** [records h SRV "_http._tcp.example.org"] are the records of that type, by DNS. Aliases are
    followed. *)

val connect_by_name : Host.t -> service:string -> string -> (Connection.t, Error.t) Lwt_result.t
(** [connect_by_name h ~service:"443" "example.org"] connects to a name, or an address in digits, at
    a port or a service by name. The name's addresses are tried as RFC 8305 has it, each a quarter
    of a second after the one before, and the first connection is taken: see {!Weir_drive.Eyeballs}.
*)
