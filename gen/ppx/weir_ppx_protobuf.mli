(** [[@@deriving protobuf]]: the deriver, registered with ppxlib; doc/protobuf.md says what it
    derives. *)

val deriver : Ppxlib.Deriving.t
