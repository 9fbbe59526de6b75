(** HTTP/1.1 servers on any network of Eio's: the kernel's, a Weir host's, or one of a simulated
    world.

    {[
    let serve ~net ~clock handler =
      Switch.run @@ fun sw ->
      let server = Server.create ~sw ~clock handler in
      let address = `Tcp (Eio.Net.Ipaddr.V4.any, 80) in
      Server.run server (Eio.Net.listen ~sw ~reuse_addr:true ~backlog:128 net address)
    ]}

    A server accepts connections, limits their number and how long each may take, and answers them
    by {!Weir_http.Server}, which says what of HTTP is supported. What a client does, or a handler
    raises, ends at most that client's connection.

    A server and all its connections stay in the domain that made it. TLS is not supported. *)

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
(** [create ~sw ~clock handler] is a server that answers by [handler], which may wait. [sw] has the
    fiber that watches time limits; it must not end before the server has.
    - [limits], [timeouts] and [page] are as in {!Weir_http.Server.create}.
    - [admission] says how many connections there may be (default
      {!Weir_http.Admission.create}[ ()]). It is this server's alone.
    - [now ()] is seconds since 1970, for [Date] and the log (default [Unix.gettimeofday]).
    - [log line] is called once for each response, with its line in the combined log format
      (default: nothing).
    - [warn message] is called when the server itself failed: a handler raised, or no more
      connections can be opened (default: [Eio.traceln]). Neither must wait. *)

val run : t -> [> [> `Generic ] Eio.Net.listening_socket_ty ] Eio.Resource.t -> unit
(** [run t socket] accepts the connections of [socket] and answers them until {!stop}; then it
    closes [socket], and returns when no connection is left. Cancelling it closes all of them at
    once. A server may have several sockets: each has its own [run].

    While all slots are taken and no connection is idle, one client waits here and others in
    [socket]'s backlog. When the process has no file descriptor left, an idle connection gives way
    and accepting goes on as soon as there is one.
    @raise Eio.Io if [socket] fails for good. *)

val run_on_host : t -> Weir_eio.Network.listener -> unit
(** [run_on_host t listener] is {!run} for a listener that is known to be a Weir host's. Bytes are
    copied once less, and an idle connection that has been sent something does not give way. *)

val stop : ?timeout_ns:int -> t -> unit
(** [stop t] ends every {!run}: nothing more is accepted, idle connections are closed, and responses
    under way are finished. It returns when no connection is left. Those that are still there after
    [timeout_ns] (5 s) are closed as they are. *)
