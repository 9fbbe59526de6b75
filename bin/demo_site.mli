(** The small site that the demo serves: made in memory, seeded, the same each time. *)

val files : unit -> (string * string) list
(** Path and content; one has 10 MB. *)

val bytes : unit -> int
(** Of all contents. *)
