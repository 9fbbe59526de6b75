(** Sentences about the stack study's numbers. *)

val of_rows : Weir_lab_harness.Row.t list -> string list
(** [of_rows rows] is a sentence for each comparison that the rows allow. *)

val summary : Weir_lab_harness.Row.t list -> string
(** Rates in memory and over a TAP. *)
