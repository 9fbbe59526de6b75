(** The rounds of a test, as rows: for each round what was read, nothing if it failed. *)

open Weir_lab_harness

val rows : string -> string -> Reading.t list list -> Row.t list
(** [rows subject test rounds] has a row a metric: the median and its interval. A reading's metric
    that ends in a mark, as [rate/30], is of the test's own mark. *)

val ratios : string -> (string * Reading.t list list) list -> Row.t list
(** [ratios test results] has Weir's rates over the others': [rate_over_OTHER] of [weir-eio], and of
    [weir-lwt], is the median of the ratios of the same round, as what slows a round slows both.
    Rounds in which either failed are left out. All subjects have as many rounds. *)
