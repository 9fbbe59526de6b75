(** Makes rows of the rounds of a test. A round is the list of its readings, empty if it failed. *)

open Weir_lab_harness

val rows : string -> string -> Reading.t list list -> Row.t list
(** [rows subject test rounds] has a row for each metric: the median and its interval. A metric with
    a mark, such as [rate/30], becomes the metric [rate] of the test [TEST/30]. *)

val ratios : string -> (string * Reading.t list list) list -> Row.t list
(** [ratios test results] is Weir's rates divided by the others': [rate_over_OTHER] of [weir-eio]
    and of [weir-lwt] is the median of the ratios round by round, because a slow round is slow for
    both. Rounds in which either failed are left out. All subjects must have the same number of
    rounds. *)
