(** The threads study's tables, figures and conclusion. *)

open Weir_lab_harness

type case = { test : string; points : (int * Measure.t list) list }
(** A test, as [recurse2-slow], and what each subject's iteration took at each N. *)

val cost : case -> string -> int -> float
(** [cost case subject n] is ns an iteration; [nan] if [n] was not measured. *)

val ratio : case -> float
(** [ratio case] is threads' time by plain Lwt's, the median of all N. *)

val caption : case -> string

val table : case -> string
(** Seconds for the study's 15,000 iterations, with its curves beside. *)

val words_table : case -> string
(** Minor words for a wait or call. *)

val exponents : case list -> string
(** The exponent of N in the time of each [recurse2] case, with its 95% interval. *)

val node_table : Row.t list -> string
(** [node_table rows] has each test's two rows beside each other. *)

val figures : case list -> string list
val conclusion : case list -> string list
