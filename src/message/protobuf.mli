(** Protobuf messages as {!Codec}s. *)

val binary : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [binary Person.codec]: the size is computed first, then the bytes are written directly into the
    output. *)

val json : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [json Person.codec] encodes canonical JSON. Decoding refuses unknown fields. *)
