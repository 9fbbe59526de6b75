(** Protobuf messages as {!Codec}s. *)

val binary : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [binary Person.codec]: the size is computed, then the bytes are written where they are sent
    from. *)

val json : 'a Weir_protobuf.Codec.t -> 'a Codec.t
(** [json Person.codec] is the canonical JSON; unknown fields are errors. *)
