(** How the length of a message is encoded on a stream. *)

type t =
  | Varint
      (** the length as protobuf writes integers, at most 5 bytes: protobuf's delimited messages
          ([writeDelimitedTo], [SerializeDelimitedToOstream]) *)
  | Length32  (** 4 bytes, big-endian: Thrift's framed transport *)
  | Capnp
      (** no prefix: the message's own segment table (Cap'n Proto's encoding specification,
          "Serialization over a stream"). Only for unpacked messages with a segment table. *)

val header_room : t -> int
(** [header_room t] is the most bytes that a prefix can have. *)

val put_header : t -> Bytes.t -> int -> int -> int
(** [put_header t b at n] writes the prefix of a message of [n] bytes into [b] before the offset
    [at], and is the offset where the prefix begins. [at] must be at least {!header_room}. *)

type extent =
  | Need of int  (** the frame has at least this many bytes; more are needed to know its length *)
  | Whole of { header : int; length : int }
      (** a prefix of [header] bytes, then a message of [length] bytes *)
  | Bad of string  (** not a valid prefix; the reason *)

val extent : t -> Bytes.t -> off:int -> len:int -> extent
(** [extent t b ~off ~len] reads the length of the frame at [off], of which [len] bytes are present.
    The frame in [Whole] may be longer than [len]. *)
