(** The flow study: the cost of reading and writing through an interface that hides the device. *)

val study : Weir_lab_harness.Study.t
