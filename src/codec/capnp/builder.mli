(** Building messages in place, in one segment that grows or in several with far pointers between
    them. If a pointer is set again, the space of the earlier value stays in the message;
    {!Canonical} makes a copy without it.

    Integers are written modulo the width of their field. *)

type t = private {
  mutable buf : Bytes.t;
  mutable used : int;
  mutable stop : int;
  mutable seg : int;
  mutable starts : int list;
  mutable count : int;
  limit : int;
}
(** The fields are the library's own; nobody else can set one. *)

type 'a struct_ = 'a Shape.builder
(** A struct being built, valid until the next {!reset}. *)

type 'a items [@@immediate]
(** A list being built. *)

val create : ?words:int -> ?segment_words:int -> unit -> t
(** [create ()] has room for [words] words (64) before it grows. With [segment_words], a segment has
    at most that many words, unless a single object is longer or there are 512 segments already. *)

val reset : t -> unit
(** [reset b] forgets what was built and keeps the storage; generated [init] and [write] call it. *)

val words : t -> int

val framed : t -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [framed b f] is [f bytes off len], where the framed message is [len] bytes of [bytes] from
    [off]. With one segment nothing is copied, and the bytes are valid until [b] changes. *)

val to_string : t -> string
(** [to_string b] is the framed message. *)

val message : t -> Message.t
(** [message b] reads what was built, in place, until the next change. *)

(** {1 Lists}

    Filling those that generated code makes; the index and the kind of the elements are checked.
    @raise Invalid_argument if either is wrong. *)

val length : 'a items -> int
val item : t -> 'a items -> int -> 'a struct_
val put_bool : t -> [ `Bool ] items -> int -> bool -> unit
val put_uint8 : t -> [< `Int8 | `Uint8 ] items -> int -> int -> unit
val put_uint16 : t -> 'a items -> int -> int -> unit
val put_uint32 : t -> [< `Int32 | `Uint32 ] items -> int -> int -> unit
val put_int64 : t -> [< `Int64 | `Uint64 ] items -> int -> int64 -> unit
val put_float32 : t -> [ `Float32 ] items -> int -> float -> unit
val put_float64 : t -> [ `Float64 ] items -> int -> float -> unit
val put_text : t -> [ `Text ] items -> int -> string -> unit
val put_data : t -> [ `Data ] items -> int -> string -> unit
val put_capability : t -> [ `Capability ] items -> int -> int -> unit

val put_list : t -> 'a items items -> int -> int -> int -> 'a items
(** [put_list b l i kind n] is a new list of [n] elements of a {!Kind}, not structs, at [i]. *)

val put_struct_list : t -> 'a items items -> int -> int -> int -> int -> 'a items
(** [put_struct_list b l i n data pointers] is a new list of [n] structs of these sizes at [i]. *)

(** {1 For generated code}

    Offsets are as in {!Reader}; [p] is the place of a pointer. *)

val init_root : t -> int -> int -> 'a struct_
val cast : 'a struct_ -> 'b struct_
val set_bool : t -> 'a struct_ -> int -> bool -> unit
val set_uint8 : t -> 'a struct_ -> int -> int -> unit
val set_uint16 : t -> 'a struct_ -> int -> int -> unit
val set_uint32 : t -> 'a struct_ -> int -> int -> unit
val set_int64 : t -> 'a struct_ -> int -> int64 -> unit
val set_float32 : t -> 'a struct_ -> int -> float -> unit
val set_float64 : t -> 'a struct_ -> int -> float -> unit
val set_int64_xor : t -> 'a struct_ -> int -> int64 -> int64 -> unit
val set_float32_xor : t -> 'a struct_ -> int -> int -> float -> unit
val set_float64_xor : t -> 'a struct_ -> int -> int64 -> float -> unit
val set_text : t -> 'a struct_ -> int -> string -> unit
val set_data : t -> 'a struct_ -> int -> string -> unit
val set_null : t -> 'a struct_ -> int -> unit
val set_capability : t -> 'a struct_ -> int -> int -> unit
val init_struct : t -> 'a struct_ -> int -> int -> int -> 'b struct_
val init_list : t -> 'a struct_ -> int -> int -> int -> 'b items
val init_struct_list : t -> 'a struct_ -> int -> int -> int -> int -> 'b items
val get_struct : t -> 'a struct_ -> int -> 'b struct_ option

val get_items : t -> 'a struct_ -> int -> int -> 'b items option
(** [get_items b h i kind] is the list at pointer [i], [None] for null.
    @raise Message.Error if it was copied from a message where its elements are not of a {!Kind}. *)

val pointer_at : 'a struct_ -> int -> int
val new_text : t -> int -> string -> unit
val new_data : t -> int -> string -> unit

val first : int
(** The place of the root pointer. *)

(**/**)

val over : Bytes.t -> used:int -> t
(** @raise Invalid_argument unless [used] words are within the bytes. *)

val use : t -> int -> unit
(** [use b n] is that [n] words of [b]'s storage are used.
    @raise Invalid_argument if there are fewer. *)

val room : t -> int -> bool
val stale : unit -> 'a
val new_struct : t -> int -> int -> int -> int

val new_bytes : t -> int -> Bytes.t -> int -> int -> int -> unit
(** @raise Invalid_argument unless the range is within the bytes, and not longer than the whole. *)

val new_list : t -> int -> int -> int -> 'a items
val new_struct_list : t -> int -> int -> int -> int -> 'a items

val new_list_as_is : t -> int -> int -> int -> 'a items
(** {!new_list} and {!new_struct_list} heed {!Pointer.weightless}, these do not. *)

val new_struct_list_as_is : t -> int -> int -> int -> int -> 'a items
val set_pointer : t -> int -> int -> int -> unit
val items_handle : 'a items -> int
val pointer_item : 'a items -> int -> int
