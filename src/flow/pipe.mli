(** A pipe in memory: bytes written at one end are read at the other; at most [capacity] bytes wait.
    It knows no scheduler: to block, it calls the given {!suspend}. *)

type suspend = ((unit -> unit) -> unit) -> unit
(** [suspend register] calls [register wake], and blocks its caller until [wake ()] was called (also
    if that was within [register]). It may raise, if the caller is cancelled; [wake] may still be
    called after that. For threads over Lwt:
    [fun register -> let p, u = Lwt.wait () in register (Lwt.wakeup_later u); await p]. *)

val create : ?capacity:int -> suspend -> Flow.reader * Flow.writer * (unit -> unit)
(** [create suspend] is a pipe's two ends and [close_write], which ends the stream after what was
    written (idempotent; writing then fails with {!Flow.Closed}). [capacity] defaults to 65,536
    bytes.
    @raise Invalid_argument if [capacity < 1]. *)

val duplex : ?capacity:int -> suspend -> Flow.half_close * Flow.half_close
(** [duplex suspend] is two flows, each reading what the other writes. Both know {!Flow.Half_close}.
*)

val no_wait : suspend
(** [no_wait] is for a single fiber: a call that would block raises [Failure]. *)
