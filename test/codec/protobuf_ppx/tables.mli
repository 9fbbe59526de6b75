(** Bytes worked out by hand, or as ppx_deriving_protobuf is known to write them. *)

val of_hex : string -> string
(** [of_hex s] is the bytes that [s] spells; spaces are left out. *)

val hex : string -> string
val groups : (string * Weir_test.Suite.case list) list
