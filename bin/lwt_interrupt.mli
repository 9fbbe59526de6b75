(** {!Interrupt} under Lwt. *)

val came : unit -> unit Lwt.t
(** [came ()] is resolved at SIGINT or SIGTERM; a second one ends the program. *)
