(** Time that passes only when nothing else can happen: tests and simulations of programs under Lwt
    that do not use the system's sockets, files or timers run without waiting, and the same way each
    time. *)

type t

val create : unit -> t
(** [create ()] stands at 0. *)

val clock : t -> Clock.t

exception Deadlock
(** The promise is pending, yet nothing is left that could resolve it. *)

val run : t -> (unit -> 'a Lwt.t) -> 'a
(** [run t f] is what [f ()] is resolved with. It takes the place of [Lwt_main.run]: it runs paused
    promises and, when there are none, moves the time on to the next timer.
    @raise Deadlock if there is no next timer. *)
