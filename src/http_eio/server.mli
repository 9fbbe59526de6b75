(** HTTP/1.1 servers on any [Eio.Net.t]: the kernel's, a Weir host's, or a simulated one.

    {[
    let serve ~net ~clock handler =
      Switch.run @@ fun sw ->
      let server = Server.create ~sw ~clock handler in
      let address = `Tcp (Eio.Net.Ipaddr.V4.any, 80) in
      Server.run server (Eio.Net.listen ~sw ~reuse_addr:true ~backlog:128 net address)
    ]}

    A server accepts connections, limits their number and their times, and answers their requests
    through {!Weir_http.Server}, which lists the unsupported parts of HTTP. Errors of a client, or
    exceptions of a handler, end at most that client's connection.

    A server and all its connections run in the domain that created it. TLS is not supported. *)

type t

val create :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?limits:Weir_http.Limits.t ->
  ?timeouts:Weir_http.Server.timeouts ->
  ?admission:Weir_http.Admission.t ->
  ?now:(unit -> float) ->
  ?page:(Weir_http.Error.t -> Weir_http.Response.t) ->
  ?log:(string -> unit) ->
  ?warn:(string -> unit) ->
  Weir_http.Handler.t ->
  t
(** [create ~sw ~clock handler] is a server that answers with [handler], which may wait. [sw] owns
    the fiber that checks time limits; it must not end before the server.
    - [limits], [timeouts] and [page] are as in {!Weir_http.Server.create}.
    - [admission] limits the number of connections (default {!Weir_http.Admission.create}[ ()]). Do
      not share it with another server.
    - [now ()] is seconds since 1970, for [Date] and the log (default [Unix.gettimeofday]).
    - [log line] is called once for each response, with its line in the combined log format
      (default: nothing).
    - [warn message] is called when a handler raised or no connection can be accepted (default:
      [Eio.traceln]). [log] and [warn] must not wait. *)

val run : t -> [> [> `Generic ] Eio.Net.listening_socket_ty ] Eio.Resource.t -> unit
(** [run t socket] accepts the connections of [socket] and answers their requests until {!stop}.
    Then it closes [socket] and returns when all connections are closed. Cancelling [run] closes
    them at once. A server may have several sockets: call [run] for each.

    While all slots are taken and no connection is idle, one accepted client waits and others wait
    in [socket]'s backlog. When the process has no file descriptor left, an idle connection is
    closed; accepting continues when a descriptor is free.
    @raise Eio.Io if [socket] fails permanently. *)

val run_on_host : t -> Weir_eio.Network.listener -> unit
(** [run_on_host t listener] is {!run} for the listener of a Weir host. One copy of the bytes is
    saved, and an idle connection that has received bytes is not closed to make room. *)

val stop : ?timeout_ns:int -> t -> unit
(** [stop t] ends every {!run}: it accepts nothing more, closes idle connections, and lets responses
    finish. It returns when all connections are closed. Connections still open after [timeout_ns]
    (default 5 s) are closed at once. *)
