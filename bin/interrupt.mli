(** SIGINT and SIGTERM as an event: the first asks for an end in good order, a second kills. *)

val await : unit -> unit
(** [await ()] returns when one of them comes. Once per process. *)

val on_usr1 : (unit -> unit) -> 'a
(** [on_usr1 f] calls [f ()] when SIGUSR1 comes, each time; of those that come before it is called,
    once. It ends by cancellation. *)
