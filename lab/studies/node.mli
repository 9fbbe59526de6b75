(** The threads study's workloads under node, as lab/js compiles them. *)

val readings :
  waits:int -> ((string * string * Weir_lab_harness.Measure.reading) list, string) result
(** [readings ~waits] is a test, a subject and its time (nanoseconds for a wait) for each. [Error]
    says why there is none: not built, no node, or a wrong result. *)
