(** The official conformance suites. *)

val cases : Weir_test.Suite.case list
