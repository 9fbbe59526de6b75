(** The codecs' targets, as ratios within one run. *)

val all : Weir_lab_harness.Row.t list -> Weir_lab_harness.Study.target list
(** [all rows] leaves out those that need a subject that was not measured. *)
