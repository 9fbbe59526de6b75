(** Little-endian loads and stores without bounds checks. Who calls has checked the position against
    the message's or builder's own length, which costs one comparison where the length of a [Bytes]
    costs six instructions. *)

val int64 : Bytes.t -> int -> int64
val int32 : Bytes.t -> int -> int32
val uint32 : Bytes.t -> int -> int
val uint16 : Bytes.t -> int -> int
val uint8 : Bytes.t -> int -> int
val set_int64 : Bytes.t -> int -> int64 -> unit
val set_int32 : Bytes.t -> int -> int32 -> unit
val set_uint16 : Bytes.t -> int -> int -> unit
val set_uint8 : Bytes.t -> int -> int -> unit

val substring : Bytes.t -> int -> int -> string
(** [substring b i n] is a copy of [n] bytes. *)
