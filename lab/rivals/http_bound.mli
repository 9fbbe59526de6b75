(** {!Weir_http_lwt.Server} in monadic style: the same session over the same state machine
    ({!Weir_http.Connection}), with a bind at each wait. It has the same interface, errors and time
    limits. *)

type t

val create :
  ?limits:Weir_http.Limits.t ->
  ?timeouts:Weir_http.Server.timeouts ->
  ?timer:Http_bound_limits.timer ->
  ?now:(unit -> float) ->
  ?stop:(unit -> bool) ->
  ?gather:int ->
  ?report:(Weir_http.Request.head -> exn -> unit) ->
  ?page:(Weir_http.Error.t -> Weir_http.Response.t) ->
  unit ->
  t

val serve_connection :
  ?on_idle:(bool -> unit) ->
  ?log:(Weir_http.Access_log.entry -> unit) ->
  t ->
  Weir_http_lwt.Transport.t ->
  Weir_http_lwt.Handler.t ->
  unit Lwt.t
