(** Direct style over Lwt promises.

    [start] runs a function as a thread and [await] waits in it for a promise, so that a program
    needs no [bind] and keeps its normal stack. An [await] costs the same at any stack depth.
    Threads are cooperative and run in the domain of Lwt's scheduler; a thread runs until it awaits
    a promise that is not resolved. There is no second scheduler: a thread continues inside the
    callback of the promise it awaited, as a bound function would. Each thread keeps its own values
    of Lwt's keys.

    {b Where to call [await].} In the function given to [start] and in functions that it calls. A
    callback that Lwt runs ([Lwt.bind], [Lwt.on_success]…) is outside: make it [start] a thread of
    its own.

    {b Errors.} What a thread raises rejects its promise, and awaiting a rejected promise raises its
    exception. If backtraces are recorded, the trace has the frames of the thread that raised, then
    those of each thread that awaited it. Exceptions that [Lwt.Exception_filter] does not let Lwt
    handle, by default [Out_of_memory] and [Stack_overflow], are not turned into rejections.

    {b Cancellation.} [Lwt.cancel (start f)] cancels the promise that the thread is waiting for, and
    [Lwt.Canceled] is raised at its [await], even if that promise cannot be cancelled. In a thread
    that is not waiting, its next [await] that would wait raises [Canceled]. The thread may clean
    up, await more, and may even return a value; its promise is pending until then. If other code
    cancels a promise, [Canceled] is raised in the threads that await it. To protect a shared
    promise from the cancellation of one thread, await [Lwt.protected p]. *)

exception Outside_start
(** Raised by a waiting [await] that is not inside [start]. *)

val start : (unit -> 'a) -> 'a Lwt.t
(** [start f] runs [f ()] at once, until it first waits or ends, and returns its outcome as a
    promise. *)

val await : 'a Lwt.t -> 'a
(** [await p] waits until [p] is resolved and is its value. If [p] is resolved already, it returns
    at once, even outside {!start}.
    @raise Outside_start if it would wait and is not inside {!start}.
    @raise exn that [p] is rejected with. *)

val yield : unit -> unit
(** [yield ()] lets all other threads that can run go first. *)

val sleep : (float -> unit Lwt.t) -> float -> unit
(** [sleep timer s] waits [s] seconds of [timer]: [Lwt_unix.sleep], [Lwt_js.sleep], or a simulated
    one.
    @raise Invalid_argument if [s] is negative or not a number. *)

val both : (unit -> 'a) -> (unit -> 'b) -> 'a * 'b
(** [both f g] runs the two as threads and returns both values when both have ended. If one raises,
    the other is cancelled and waited for, and the first exception is raised. [g] is not started if
    [f] raises without waiting. Must be inside {!start}. *)

val all : (unit -> 'a) list -> 'a list
(** [all fs] is {!both} for any number; the values are in the order of [fs]. *)

val first : (unit -> 'a) -> (unit -> 'a) -> 'a
(** [first f g] runs the two as threads. It returns, or raises, the outcome of the one that ends
    first. The other is cancelled and waited for, and its outcome is dropped. [g] is not started if
    [f] ends without waiting. Must be inside {!start}. *)

val any : (unit -> 'a) list -> 'a
(** [any fs] is {!first} for any number.
    @raise Invalid_argument if [fs] is empty. *)
