(** Loads and stores without bounds checks. Who calls has checked the position against the message's
    or builder's own length, which costs one comparison where the length of a [Bytes] costs six
    instructions. Primitives, so that they are expanded in place across modules in every build
    profile; they make this library one for little-endian machines. *)

external int64 : Bytes.t -> int -> int64 = "%caml_bytes_get64u"
external int32 : Bytes.t -> int -> int32 = "%caml_bytes_get32u"
external uint16 : Bytes.t -> int -> int = "%caml_bytes_get16u"
external uint8 : Bytes.t -> int -> int = "%bytes_unsafe_get"
external set_int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
external set_int32 : Bytes.t -> int -> int32 -> unit = "%caml_bytes_set32u"
external set_uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"

external set_uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"
(** Of the lowest 8 bits. *)

val zero : Bytes.t -> int -> int -> unit
(** [zero b i n] zeroes [n] words from byte [i] on. *)
