(** protobuf, by [[@@deriving protobuf]] on the study's OCaml types. *)

val subjects : Subject.t list
(** [deriving-protobuf], with the study's type: all strings are options and present, and the numbers
    are not packed; [deriving-protobuf-proto3], with the type whose bytes are [protobuf-bin]'s. *)
