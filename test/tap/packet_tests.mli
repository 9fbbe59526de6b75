(** What a packet socket does that a TAP does not. *)

val cases : Weir_test.Suite.case list
