(** Names by DNS, and connecting to them, on virtual time. *)

val cases : Weir_test.Suite.case list
