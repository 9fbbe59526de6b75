(** An HTTP/1.1 server for one transport at a time: {!Weir_http.Server}'s session, run over Lwt
    promises as a thread ({!Weir_threads.Threads}). Accepting connections is the caller's. *)

type timeouts = Weir_http.Server.timeouts

type t
(** What the connections of a server share. *)

val create :
  ?limits:Weir_http.Limits.t ->
  ?timeouts:timeouts ->
  ?timer:Time_limits.timer ->
  ?now:(unit -> float) ->
  ?stop:(unit -> bool) ->
  ?gather:int ->
  ?report:(Weir_http.Request.head -> exn -> unit) ->
  ?page:(Weir_http.Error.t -> Weir_http.Response.t) ->
  unit ->
  t
(** [create ()] is a server. Without [timer], nothing times out; all else is as in
    {!Weir_http.Server.create}. Cancellation is not reported: it ends the connection. *)

val serve_connection :
  ?on_idle:(bool -> unit) ->
  ?log:(Weir_http.Access_log.entry -> unit) ->
  t ->
  Transport.t ->
  Handler.t ->
  unit Lwt.t
(** [serve_connection t transport handler] answers the requests that come until the connection is
    over; the caller then closes the transport. It is rejected with what the transport is rejected
    with, having closed a body in the making. [on_idle true] is called before each wait for a new
    request and [on_idle false] after it. [log e] is called once for each response, when its last
    byte was made or it was cut; what it raises is reported.

    It is rejected with {!Time_limits.Timed_out} if the client did not take what was written in
    time: see {!Weir_http.Server.serve_connection}. *)

val serve_direct :
  ?on_idle:(bool -> unit) ->
  ?log:(Weir_http.Access_log.entry -> unit) ->
  t ->
  Transport.t ->
  Weir_http.Handler.t ->
  unit Lwt.t
(** [serve_direct] is {!serve_connection} for a handler in direct style. It, and what makes the body
    of its response, runs in the connection's thread and may wait by {!Weir_threads.Threads.await};
    the request's body comes as it is read. *)
