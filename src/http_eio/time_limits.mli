(** Many time limits with one timer: one fiber checks all of them four times a second, so a limit
    may fire up to 250 ms late. A timer and a fiber for each wait would cost more than answering a
    small request. *)

type t

val create : sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> t

val http_timer : t -> Weir_http.Server.timer
(** [http_timer t] is a timer that cancels a call that takes too long, and raises
    {!Weir_http.Server.Timed_out}. *)
