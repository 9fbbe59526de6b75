(** Memory that reading derived types takes. *)

val cases : Weir_test.Suite.case list
