(** The flow study: what it costs to read and write through an interface that hides the device. *)

val study : Weir_lab_harness.Study.t
