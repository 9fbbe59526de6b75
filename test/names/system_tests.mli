(** The same questions asked of the system's network and of Weir's. *)

val cases : Weir_test.Suite.case list
