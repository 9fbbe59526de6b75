(** The threads study's tables, figures and conclusion. *)

open Weir_lab_harness

type case = { test : string; points : (int * Measure.t list) list }
(** A test, such as [recurse2-slow], with the measurements of each subject for each N. *)

val cost : case -> string -> int -> Sample.t
(** [cost case subject n] is the nanoseconds for an iteration; without rounds if [n] was not
    measured. *)

val ratio : case -> Sample.t
(** [ratio case] is the time of threads divided by that of plain Lwt: in each round the median of
    all N. *)

val caption : case -> string

val table : case -> Table.t
(** Seconds for the study's 15,000 iterations, with the published times. *)

val words_table : case -> Table.t
(** Minor words for a wait or call. *)

val exponents : case list -> Table.t
(** The exponent of N in the time of each [recurse2] case, with its 95% interval. *)

val node_table : Row.t list -> Table.t
(** [node_table rows] has a row for each test, with both subjects. *)

val figures : case list -> string list
val conclusion : case list -> string list

val summary : case list -> string
(** Threads compared with plain Lwt, in one sentence. *)
