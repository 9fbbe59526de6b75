(** {!Interrupt} under Lwt. *)

val came : unit -> unit Lwt.t
(** [came ()] is resolved when SIGINT or SIGTERM arrives; a second signal ends the program. *)

val on_usr1 : (unit -> unit) -> unit
(** [on_usr1 f]: [f ()] is called each time SIGUSR1 arrives. *)
