(** The message of the study, from which each subject makes a value of its own type. *)

type strings = string * string * string * string

val first : bool
val second : bool
val third : float
val fourth : int
val fifth : strings list
val sixth : int list

val absent : string -> string option
(** [absent s] is [None] for the empty string, as atd and Thrift represent it. *)

val tally : int
(** The sum of all numbers, truncated to integers, and of the lengths of all strings. *)
