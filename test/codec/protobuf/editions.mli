(** Edition 2024, from a request made by hand: few protoc know it yet. *)

val cases : Weir_test.Suite.case list
