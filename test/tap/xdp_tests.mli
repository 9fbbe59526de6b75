(** What an XDP socket does that a packet socket does not. *)

val cases : Weir_test.Suite.case list
