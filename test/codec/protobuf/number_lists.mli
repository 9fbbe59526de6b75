(** Lists of packed numbers, and writing without room. *)

val cases : Weir_test.Suite.case list
