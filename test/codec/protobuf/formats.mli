(** Cases of JSON and text. *)

val cases : Weir_test.Suite.case list
