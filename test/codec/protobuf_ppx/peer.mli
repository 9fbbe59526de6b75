(** protoc reads what derived codecs write, by the [.proto] that they give, and writes it back. *)

val groups : (string * Weir_test.Suite.case list) list
