(** Sentences about the study's numbers. *)

val sentences : Weir_lab_harness.Row.t list -> string list
(** [sentences rows] omits sentences about subjects that were not measured. *)

val summary : Weir_lab_harness.Row.t list -> string
(** The formats compared with bin_prot, in one sentence. *)
