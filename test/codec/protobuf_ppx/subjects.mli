(** Types with generators of their values: what the round trips, the fuzzers and the peer go
    through. *)

type t =
  | Subject : { name : string; codec : 'a Weir_protobuf.Codec.t; gen : 'a QCheck2.Gen.t } -> t

val all : t list
val numbers : More.numbers QCheck2.Gen.t

val entry : int -> More.entry QCheck2.Gen.t
(** [entry n] nests as deep as [n] in base 3. *)
