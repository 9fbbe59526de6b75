(** Reading values of the binary or the compact protocol. Only strings are copied out of the bytes.
    A count or a length that the rest of the input cannot hold is refused before anything is
    allocated. Nesting and memory are limited. Every function raises {!Error.Error} on malformed
    input. *)

type t

val of_bytes : ?depth:int -> ?memory:int -> Kind.protocol -> Bytes.t -> off:int -> len:int -> t
(** [of_bytes p b ~off ~len] reads those bytes, which must not change meanwhile. Structs and
    containers may be nested [depth] deep (default 64). The values may take [memory] words of 8
    bytes in all (default: 16 times the input and 1 MB).
    @raise Invalid_argument if [off] and [len] do not lie inside [b]. *)

val of_string : ?depth:int -> ?memory:int -> Kind.protocol -> string -> t

val position : t -> int
(** The offset of the next byte. *)

val remaining : t -> int
val bool : t -> bool
val i8 : t -> int
val i16 : t -> int
val i32 : t -> int
val i64 : t -> int64
val double : t -> float
val string : t -> string

val uuid : t -> string
(** 16 bytes. *)

val skip : t -> int -> unit
(** [skip r kind] passes over a value of a {!Kind}. *)

val decode : (t -> 'a) -> Kind.protocol -> string -> ('a, Error.t) result
(** [decode read p s] is the value that [read] reads from [s]; it must end where [s] ends. *)

(** {1 For generated code} *)

val enter : t -> unit

val start : t -> int -> unit
(** [start r words] is {!enter} for a record of [words] words. *)

val spend : t -> int -> unit
(** [spend r words] counts [words] words as allocated for the value. *)

val some : t -> int -> 'a -> 'a option
(** [some r words v] is [Some v], both counted as [words]. *)

val leave : t -> unit

val field : t -> int -> int
(** [field r last] is the next field's [(id lsl 4) lor kind], 0 at the end of the struct. *)

val bool_field : t -> bool
(** The boolean that belongs to the last header. *)

val skip_field : t -> int -> unit
(** [skip_field r header] passes over the field of a header. *)

val list : t -> int -> (t -> 'a) -> 'a list
val map : t -> int -> int -> (t -> 'a) -> (t -> 'b) -> ('a * 'b) list
val required : t -> string -> 'a option -> 'a
val fail : t -> string -> 'a

(**/**)

val u8 : t -> int
val varint : t -> int
