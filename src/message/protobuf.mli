(** Protobuf messages as {!Codec}s. *)

val binary : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [binary Person.codec] encodes the binary format. It computes the size first and then writes
    directly into the output. *)

val json : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [json Person.codec] encodes canonical JSON. Decoding refuses unknown fields. *)
