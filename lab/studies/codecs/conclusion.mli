(** What the study's numbers say. *)

val sentences : Weir_lab_harness.Row.t list -> string list
(** [sentences rows] leaves out what needs a subject that was not measured. *)

val summary : Weir_lab_harness.Row.t list -> string
(** The formats beside bin_prot, in one sentence. *)
