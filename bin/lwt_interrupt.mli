(** {!Interrupt} under Lwt. *)

val came : unit -> unit Lwt.t
(** [came ()] is resolved at SIGINT or SIGTERM; a second one ends the program. *)

val on_usr1 : (unit -> unit) -> unit
(** [on_usr1 f]: [f ()] is called when SIGUSR1 comes, each time. *)
