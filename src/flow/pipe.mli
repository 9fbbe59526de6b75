(** A pipe in memory: bytes written at one end are read at the other; at most [capacity] bytes wait.
    It works with any scheduler: to block, it calls the given {!suspend}. *)

type suspend = ((unit -> unit) -> unit) -> unit
(** [suspend register] calls [register wake] and blocks until [wake ()] is called, which may happen
    within [register]. It may raise if the caller is cancelled; [wake] may still be called
    afterwards. For threads over Lwt:
    [fun register -> let p, u = Lwt.wait () in register (Lwt.wakeup_later u); await p]. *)

val create : ?capacity:int -> suspend -> Flow.reader * Flow.writer * (unit -> unit)
(** [create suspend] is the pipe's two ends and [close_write], which ends the stream after the bytes
    written so far. Writes then fail with {!Flow.Closed}. [close_write] is idempotent. [capacity]
    defaults to 65,536 bytes.
    @raise Invalid_argument if [capacity < 1]. *)

val duplex : ?capacity:int -> suspend -> Flow.half_close * Flow.half_close
(** [duplex suspend] is two flows, each reading what the other writes. Both support
    {!Flow.Half_close}. *)

val no_wait : suspend
(** [no_wait] is for a single fiber: a call that would block raises [Failure]. *)
