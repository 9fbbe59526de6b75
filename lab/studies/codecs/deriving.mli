(** protobuf, with [[@@deriving protobuf]] on the study's OCaml types. *)

val subjects : Subject.t list
(** [deriving-protobuf] has the study's type: all strings are options and present, and the numbers
    are not packed. [deriving-protobuf-proto3] has a type with the same encoding as [protobuf-bin].
*)
