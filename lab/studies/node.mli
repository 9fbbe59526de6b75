(** The threads study's workloads under node, compiled by lab/js. *)

val readings :
  waits:int -> ((string * string * Weir_lab_harness.Measure.reading) list, string) result
(** [readings ~waits] is a list of test, subject and time in nanoseconds for one wait. [Error] says
    why there are none: not built, no node, or a wrong result. *)
