(** protobuf, by [[@@deriving protobuf]] on the study's OCaml types. *)

val subjects : Subject.t list
(** [deriving-protobuf]: all strings are options and present, and the numbers are not packed. *)
