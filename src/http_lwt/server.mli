(** An HTTP/1.1 server for one transport at a time: {!Weir_http.Server}'s session, run over Lwt
    promises as a thread ({!Weir_threads.Threads}). The caller accepts connections. *)

type timeouts = Weir_http.Server.timeouts

type t
(** The state that all connections of a server share. *)

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
(** [create ()] is a server. Without [timer], nothing times out; the other arguments are as in
    {!Weir_http.Server.create}. Cancellation is not reported: it ends the connection. *)

val serve_connection :
  ?on_idle:(bool -> unit) ->
  ?log:(Weir_http.Access_log.entry -> unit) ->
  t ->
  Transport.t ->
  Handler.t ->
  unit Lwt.t
(** [serve_connection t transport handler] answers the requests of [transport] until the connection
    is over. The caller then closes the transport. A rejection of the transport rejects the promise
    too, after a streamed body has been closed. [on_idle true] is called before each wait for a new
    request and [on_idle false] after it. [log e] is called once for each response, when its last
    byte has been made or it was cut; an exception of [log] is reported.

    It is rejected with {!Time_limits.Timed_out} if the client did not read the response in time:
    see {!Weir_http.Server.serve_connection}. *)

val serve_direct :
  ?on_idle:(bool -> unit) ->
  ?log:(Weir_http.Access_log.entry -> unit) ->
  t ->
  Transport.t ->
  Weir_http.Handler.t ->
  unit Lwt.t
(** [serve_direct] is {!serve_connection} for a handler in direct style. The handler and the stream
    of its response run in the connection's thread and may wait by {!Weir_threads.Threads.await}.
    The request's body is received as the handler reads it. *)
