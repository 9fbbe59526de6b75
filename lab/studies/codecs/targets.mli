(** The codecs' targets, as ratios within one run. *)

val all : Weir_lab_harness.Row.t list -> Weir_lab_harness.Study.target list
(** [all rows] omits targets that need a subject that was not measured. *)
