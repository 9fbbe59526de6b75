(** How a message says how long it is, on a stream. *)

type t =
  | Varint
      (** the length as protobuf writes integers, at most 5 bytes: protobuf's delimited messages
          ([writeDelimitedTo], [SerializeDelimitedToOstream]) *)
  | Length32  (** 4 bytes, big-endian: Thrift's framed transport *)
  | Capnp
      (** no prefix: the message's own segment table (Cap'n Proto's encoding specification,
          "Serialization over a stream"). Only for messages that have one, and not packed. *)

val header_room : t -> int
(** [header_room t] is how long a prefix can be. *)

val put_header : t -> Bytes.t -> int -> int -> int
(** [put_header t b at n] writes the prefix of a message of [n] bytes so that it ends before [at],
    and is where it begins. There must be {!header_room} before [at]. *)

type extent =
  | Need of int  (** this many bytes at least, in all, before more can be said *)
  | Whole of { header : int; length : int }
      (** a prefix of [header] bytes, then a message of [length] *)
  | Bad of string  (** no frame begins so *)

val extent : t -> Bytes.t -> off:int -> len:int -> extent
(** [extent t b ~off ~len] looks at the frame that begins at [off], of which [len] bytes are there.
    [Whole] may be longer than that. *)
