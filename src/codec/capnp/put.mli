(** The second pass of {!Record}: values written where {!Size} made room, called by generated code.
    Nothing here checks positions. [buf] is what is written to, and may hold anything before; [at]
    the byte of a field or pointer, or of a struct; [next] the byte where free room begins, and what
    functions that take it return is where it begins then. A function that writes a struct writes
    every word of it, one that writes a pointer every bit. *)

(** {1 Data} *)

external uint8 : Bytes.t -> int -> int -> unit = "%bytes_unsafe_set"
external uint16 : Bytes.t -> int -> int -> unit = "%caml_bytes_set16u"
external int64 : Bytes.t -> int -> int64 -> unit = "%caml_bytes_set64u"
val uint32 : Bytes.t -> int -> int -> unit
val float32 : Bytes.t -> int -> float -> unit
val float64 : Bytes.t -> int -> float -> unit

val bit : bool -> int -> int
(** [bit v i] is the byte whose bit [i] is [v], the rest being zero. *)

val bool : Bytes.t -> int -> int -> bool -> unit
(** [bool buf at bit v] sets or clears bit [bit], counted from byte [at], and leaves the others. *)

val zero : Bytes.t -> int -> int -> unit
(** [zero buf at n] zeroes [n] words. *)

(** With the default [d] of the field, which is stored as zero: *)

val int64_xor : Bytes.t -> int -> int64 -> int64 -> unit
val float32_xor : Bytes.t -> int -> int -> float -> unit
val float64_xor : Bytes.t -> int -> int64 -> float -> unit

(** {1 Pointers}

    An empty text or list is left null. *)

val null : Bytes.t -> int -> int -> int
(** [null buf at next] is [next]. *)

val text : Bytes.t -> int -> string -> int -> int
val data : Bytes.t -> int -> string -> int -> int
val capability : Bytes.t -> int -> int option -> unit

val optional :
  (Bytes.t -> int -> 'a -> int -> int) -> int -> int -> Bytes.t -> int -> 'a option -> int -> int
(** [optional write data pointers buf at v next], the struct's sizes in words. *)

val structs :
  (Bytes.t -> int -> 'a -> int -> int) -> int -> int -> Bytes.t -> int -> 'a list -> int -> int

val start_structs : int -> int -> int -> Bytes.t -> int -> int -> int
(** [start_structs n data pointers buf at next] leaves room for [n] structs from byte [next + 8] on.
*)

val pointers : (Bytes.t -> int -> 'a -> int -> int) -> Bytes.t -> int -> 'a list -> int -> int
(** [pointers write buf at l next] writes a list of texts, lists or the like. *)

val voids : Bytes.t -> int -> int -> int -> int
val bits : Bytes.t -> int -> Bits.t -> int -> int
val octets : Bytes.t -> int -> string -> int -> int
val int16s : Bytes.t -> int -> int list -> int -> int
val int32s : Bytes.t -> int -> int list -> int -> int
val int64s : Bytes.t -> int -> int64 list -> int -> int
val float32s : Bytes.t -> int -> float list -> int -> int
val float64s : Bytes.t -> int -> float list -> int -> int
val enums : ('a -> int) -> Bytes.t -> int -> 'a list -> int -> int
val capabilities : Bytes.t -> int -> int option list -> int -> int

(** {1 What is there and empty}

    Where null stands for a default. *)

val empty_text : Bytes.t -> int -> int -> int
val empty_structs : int -> int -> Bytes.t -> int -> int -> int

val empty_items : int -> Bytes.t -> int -> int -> int
(** [empty_items kind buf at next] is a list of a {!Kind}, not structs; bytes for data. *)

(**/**)

val new_struct : int -> int -> Bytes.t -> int -> int -> int
