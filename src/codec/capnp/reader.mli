(** Reading structs in place, for generated accessors. ['a t] is a reader of the generated struct
    ['a]. A field beyond the end of the message's struct, which an older schema made, is zero or
    null. The last argument is the field's place: an offset in bytes, for booleans an offset in
    bits, for pointers an index.

    Everything here raises {!Message.Error} on a malformed message. Only functions that return a
    string, a record or a boxed 64-bit number allocate. *)

type 'a t = 'a Shape.reader

val root : Message.t -> 'a t
(** [root m] is the message's root struct. *)

val cast : 'a t -> 'b t
(** [cast r] is [r] as a reader of another type: a group is read through its struct. *)

val bool : Message.t -> 'a t -> int -> bool
val int8 : Message.t -> 'a t -> int -> int
val int16 : Message.t -> 'a t -> int -> int
val int32 : Message.t -> 'a t -> int -> int
val int64 : Message.t -> 'a t -> int -> int64
val uint8 : Message.t -> 'a t -> int -> int
val uint16 : Message.t -> 'a t -> int -> int
val uint32 : Message.t -> 'a t -> int -> int
val float32 : Message.t -> 'a t -> int -> float
val float64 : Message.t -> 'a t -> int -> float

val has : Message.t -> 'a t -> int -> bool
(** [has m r i] is true if pointer [i] is present and not null. *)

val struct_ : Message.t -> 'a t -> int -> 'b t
val list : Message.t -> 'a t -> int -> int -> 'b Items.t
val text : Message.t -> 'a t -> int -> Blob.t
val data : Message.t -> 'a t -> int -> Blob.t
val string : Message.t -> 'a t -> int -> string
val data_string : Message.t -> 'a t -> int -> string

val capability : Message.t -> 'a t -> int -> int option
(** The index of a capability, [None] for null. *)

(** {1 For generated code} *)

val decode : (Message.t -> 'a t -> 'b) -> string -> ('b, Message.error) result
(** [decode read s] reads the whole of a framed message. It may visit four times the message's
    length and 4,096 words, and use the memory that is the default of {!Message.of_frame}, so a
    small message cannot become a large value. An element without a size costs one word; see
    {!Pointer.weightless} for why messages that this library writes are never refused. *)

val optional : Message.t -> 'a t -> int -> (Message.t -> 'b t -> 'c) -> 'c option

val spend : Message.t -> 'a t -> int -> unit
(** [spend m r n] counts [n] words of a record made of [r]. *)

val default : Message.t -> Message.t -> (Message.t -> 'a) -> 'a
(** [default m d read] is a value read of a default's message [d], counted as made of [m]. *)

val nothing : Message.t
val null : 'a t
val sign8 : int -> int
val sign16 : int -> int
val sign32 : int -> int
val int64_xor : Message.t -> 'a t -> int -> int64 -> int64
val float64_xor : Message.t -> 'a t -> int -> int64 -> float
val float32_xor : Message.t -> 'a t -> int -> int -> float
val float_of_bits : int64 -> float
val float32_of_bits : int -> float
val pointer_at : int -> int -> int

(** A record looks once where its texts' pointers and its data are, if they are all there:
    [string_at m r (pointers_of r n) i], [i < n], is [string m r i], and
    [f_at m r (data_of m r n) off], of a field that ends within [n] bytes, is [f m r off]. An offset
    that is not within the [n] bytes, or a place that is another struct's, reads outside of the
    message. *)
module Unsafe : sig
  val pointers_of : 'a t -> int -> int
  val string_at : Message.t -> 'a t -> int -> int -> string
  val data_of : Message.t -> 'a t -> int -> int
  val bool_at : Message.t -> 'a t -> int -> int -> bool
  val int8_at : Message.t -> 'a t -> int -> int -> int
  val int16_at : Message.t -> 'a t -> int -> int -> int
  val int32_at : Message.t -> 'a t -> int -> int -> int
  val int64_at : Message.t -> 'a t -> int -> int -> int64
  val uint8_at : Message.t -> 'a t -> int -> int -> int
  val uint16_at : Message.t -> 'a t -> int -> int -> int
  val uint32_at : Message.t -> 'a t -> int -> int -> int
  val float32_at : Message.t -> 'a t -> int -> int -> float
  val float64_at : Message.t -> 'a t -> int -> int -> float
  val int64_xor_at : Message.t -> 'a t -> int -> int -> int64 -> int64
  val float64_xor_at : Message.t -> 'a t -> int -> int -> int64 -> float
  val float32_xor_at : Message.t -> 'a t -> int -> int -> int -> float
end
