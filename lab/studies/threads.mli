(** The threads study: threads that bind promises against threads that keep their stack. *)

val study : Weir_lab_harness.Study.t

val depths : quick:bool -> int list
(** The values of N. *)
