(** The codec study: one message through each codec. *)

val study : Weir_lab_harness.Study.t
