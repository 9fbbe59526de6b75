(** Writing the wire format, for generated code.

    A message is written from its last byte to its first, so that a nested message's length is known
    when its prefix is due. A writer takes the bytes, the position behind what it is to write, and
    the value; it returns the position where that begins. Where there is no room left, that position
    is below 0 and nothing is written before the first byte: the writer goes on, and only counts. So
    a message's size is what its writer takes of no bytes at all ({!size}).

    @raise Invalid_argument
      from a size or a writer, where an [int] does not fit the field's 32 bits; from a writer of
      text, where it is not UTF-8; from any writer, {!changed}. *)

(** {1 Sizes in bytes, without tags} *)

val size_varint : int -> int
(** [size_varint v] for [v >= 0]. *)

val size_int32 : int -> int
val size_uint32 : int -> int
val size_sint32 : int -> int
val size_int64 : int64 -> int
val size_sint64 : int64 -> int

val size_text : string -> int
(** [size_text s] is the size of [s] with its length. *)

val size_slice : Slice.t -> int
(** [size_slice] is {!size_text} of a slice. *)

val size_block : int -> int
(** [size_block n] is the size of [n] bytes with their length; of more than {!largest}, it is some
    number greater than [n]. *)

val sum : ('a -> int) -> 'a list -> int
(** [sum size l] is the size of all elements, nothing between. *)

val sum_texts : int -> int -> string list -> int
(** [sum_texts n tag l] is [n] and the size of all texts, each with its length and [tag] bytes. *)

(** {1 Writers, backwards} *)

val byte : Bytes.t -> int -> int -> int
val varint : Bytes.t -> int -> int -> int

val int : Bytes.t -> int -> int -> int
(** [int b stop v] writes 63 bits, of a negative number 64. *)

val int32 : Bytes.t -> int -> int -> int
val uint32 : Bytes.t -> int -> int -> int
val sint32 : Bytes.t -> int -> int -> int
val int64 : Bytes.t -> int -> int64 -> int
val sint64 : Bytes.t -> int -> int64 -> int
val bool : Bytes.t -> int -> bool -> int
val fixed32 : Bytes.t -> int -> int -> int
val sfixed32 : Bytes.t -> int -> int -> int
val fixed64 : Bytes.t -> int -> int64 -> int
val float : Bytes.t -> int -> float -> int
val double : Bytes.t -> int -> float -> int

(** {2 Before the value, its tag}

    [int32_field b stop tag v] writes [v] and, before it, [tag]. *)

val int32_field : Bytes.t -> int -> int -> int -> int
val uint32_field : Bytes.t -> int -> int -> int -> int
val sint32_field : Bytes.t -> int -> int -> int -> int
val int64_field : Bytes.t -> int -> int -> int64 -> int
val sint64_field : Bytes.t -> int -> int -> int64 -> int
val bool_field : Bytes.t -> int -> int -> bool -> int
val fixed32_field : Bytes.t -> int -> int -> int -> int
val sfixed32_field : Bytes.t -> int -> int -> int -> int
val fixed64_field : Bytes.t -> int -> int -> int64 -> int
val float_field : Bytes.t -> int -> int -> float -> int
val double_field : Bytes.t -> int -> int -> float -> int

(** {2 Texts and blocks} *)

val raw : Bytes.t -> int -> string -> int
(** [raw b stop s] writes the bytes of [s]. *)

val checked : Bytes.t -> int -> string -> int
(** [checked b stop s] is {!raw} of what must be UTF-8. *)

val text : Bytes.t -> int -> string -> int
(** [text b stop s] writes [s], any bytes, and, before it, its length. *)

val string : Bytes.t -> int -> int -> string -> int
(** [string b stop tag s] writes [s], which must be UTF-8, and, before it, its length and a tag. *)

val filled_string : Bytes.t -> int -> int -> string -> int
(** [filled_string b stop tag s] is {!string}, of [""] nothing. *)

val bytes : Bytes.t -> int -> int -> string -> int
(** [bytes b stop tag s] is {!string} without the check. *)

val slice : Bytes.t -> int -> int -> Slice.t -> int
(** [slice] is {!bytes} of a slice. *)

val slice_text : Bytes.t -> int -> int -> Slice.t -> int
(** [slice_text] is {!string} of a slice. *)

val block : Bytes.t -> int -> int -> int -> int
(** [block b stop start tag] writes before [start] the length of what stands between and the tag. *)

val all : (Bytes.t -> int -> 'a -> int) -> Bytes.t -> int -> 'a list -> int
(** [all write b stop l] writes the elements so that they stand in order. *)

val all_strings : Bytes.t -> int -> int -> string list -> int
(** [all_strings b stop tag l] writes them as {!string} does. *)

val all_bytes : Bytes.t -> int -> int -> string list -> int
(** [all_bytes b stop tag l] writes them as {!bytes} does. *)

val all_int32 : Bytes.t -> int -> int list -> int
(** [all_int32] is [all int32]. *)

val all_int : Bytes.t -> int -> int list -> int
(** [all_int] is [all int]. *)

val is_zero : float -> bool
(** [is_zero x] is whether [x] is positive zero, a field's default; negative zero is not. *)

val largest : int
(** What a message may take at most, 2 GiB - 1 bytes (protobuf's own limit). *)

val too_large : unit -> 'a
(** @raise Invalid_argument *)

val changed : unit -> 'a
(** What is written is larger or smaller than its size was.
    @raise Invalid_argument *)

val size : (Bytes.t -> int -> 'a -> int) -> 'a -> int
(** [size write v] is the number of bytes that [write] takes for [v]. *)

val no_room : int -> unit
(** [no_room n] is called where a block of [n] bytes was counted only. *)

external blit : string -> int -> Bytes.t -> int -> int -> unit = "caml_blit_string"
[@@noalloc]
(** As [Bytes.unsafe_blit_string]. *)

val bulk : int ref
(** The bytes of long blocks of which that was said. *)

val to_string : int -> (Bytes.t -> int -> int) -> string
(** [to_string size write] is the [size] bytes that [write], given them and their end, writes. *)
