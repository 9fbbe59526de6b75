(** The content of the study's message. Each subject has a value of its own type with this content.
*)

type strings = string * string * string * string

val first : bool
val second : bool
val third : float
val fourth : int
val fifth : strings list
val sixth : int list

val absent : string -> string option
(** [absent s] is [None] for the empty string, and [Some s] for others, as atd and Thrift have it.
*)

val tally : int
(** The sum of all numbers, truncated to integers, and of the lengths of all strings. *)
