(** SIGINT and SIGTERM as an event: the first asks for an orderly end, the second ends the program.
*)

val await : unit -> unit
(** [await ()] returns when one of them arrives. To be called once in a process. *)

val on_usr1 : (unit -> unit) -> 'a
(** [on_usr1 f] calls [f ()] each time SIGUSR1 arrives. Signals that arrive before [f] has been
    called count as one. It ends by cancellation. *)
