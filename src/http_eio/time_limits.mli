(** Many time limits with one timer: one fiber checks all of them four times a second, so a limit
    may fire up to 500 ms late. A timer and a fiber for each wait would cost more than answering a
    small request. *)

type t

val create : sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> t

val http_timer : t -> Weir_http.Server.timer
(** [http_timer t] is a timer that cancels a call that takes too long, and raises
    {!Weir_http.Server.Timed_out}. *)

val with_connection : t -> interrupt:(bool -> unit) -> (Weir_http.Server.timer -> 'a) -> 'a
(** [with_connection t ~interrupt f] is [f timer], for the calls of one connection's fiber. A limit
    allocates nothing: [timer] does not cancel a call that takes too long, but calls
    [interrupt true] ({!Weir_eio.Connection.set_interrupted}). The connection's waiting call then
    raises {!Weir_flow.Flow.Error}, and [timer] calls [interrupt false] and raises
    {!Weir_http.Server.Timed_out}. So the call may wait only for that connection. *)
