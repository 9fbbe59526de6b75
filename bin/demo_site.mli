(** The small site that the demo serves. It is made in memory from a seed: always the same. *)

val files : unit -> (string * string) list
(** Pairs of path and content; one file has 10 MB. *)

val bytes : unit -> int
(** [bytes ()] is the size of all contents. *)
