(** Calls from a domain that is not the host's. *)

val cases : Weir_test.Suite.case list
