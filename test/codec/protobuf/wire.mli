(** Cases of the binary format. *)

val cases : Weir_test.Suite.case list
