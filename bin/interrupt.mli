(** SIGINT and SIGTERM as an event: the first asks for an end in good order, a second kills. *)

val await : unit -> unit
(** [await ()] returns when one of them comes. Once per process. *)
