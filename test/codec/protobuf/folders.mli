(** Many files at once: where they go, how they name each other, and the documented dune rule. *)

val cases : Weir_test.Suite.case list
