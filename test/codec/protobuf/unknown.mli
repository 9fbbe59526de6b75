(** The plugin's option [unknown]. *)

val cases : Weir_test.Suite.case list
