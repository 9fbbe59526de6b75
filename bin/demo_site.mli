(** The small site that the demo serves: made in memory, seeded, the same each time. *)

val files : (string * string) list
(** Path and content; one has 10 MB. *)

val bytes : int
(** Of all contents. *)

val write : string -> unit
(** [write dir] puts them on disk. *)
