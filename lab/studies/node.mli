(** The threads study's workloads under node, as lab/js compiles them. *)

val rows : waits:int -> (Weir_lab_harness.Row.t list, string) result
(** [rows ~waits] is a row of time (nanoseconds a wait) for each; [Error] says why there is none:
    not built, no node, or a wrong result. *)
