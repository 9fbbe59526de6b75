(** Virtual time for Lwt: it advances only when no promise can make progress. Tests and simulations
    that do not use the system's sockets, files or timers run without waiting, and always with the
    same result. *)

type t

val create : unit -> t
(** [create ()] is a clock at time 0. *)

val clock : t -> Clock.t

exception Deadlock
(** The promise is pending, and no timer is left that could resolve it. *)

val run : t -> (unit -> 'a Lwt.t) -> 'a
(** [run t f] is the value of [f ()]. It replaces [Lwt_main.run]: it runs paused promises and, when
    there are none, advances the time to the next timer.
    @raise Deadlock if there is no next timer. *)
