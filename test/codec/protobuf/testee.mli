(** What the official conformance runner drives. Its protocol: on standard input and output, a
    four-byte little-endian length before each request and response. *)

type codec = Codec : 'a Weir_protobuf.Codec.t -> codec

val usual : string -> codec option
(** [usual name] is that message's codec. *)

val arrays : string -> codec option
(** [arrays name] is one with arrays and slices, of the proto2 and proto3 messages. *)

val main : (string -> codec option) -> unit
(** [main codec] answers requests until standard input ends; a message without a codec is skipped.
*)
