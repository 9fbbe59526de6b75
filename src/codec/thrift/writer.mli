(** Writing values in the binary or the compact protocol, into a buffer that grows and can be used
    again. Integers are written modulo their width. A string of 2 GiB or more, or a container of
    2{^ 31} elements or more, has no encoding: writing it raises [Invalid_argument]. *)

type t

val create : ?size:int -> Kind.protocol -> t
(** [create p] has room for [size] bytes (512) before it grows. *)

val reset : t -> unit
(** [reset w] forgets what was written and keeps the storage. *)

val length : t -> int

val contents : t -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [contents w f] is [f bytes off len], without a copy, to be used before the next change. *)

val to_string : t -> string
val bool : t -> bool -> unit
val i8 : t -> int -> unit
val i16 : t -> int -> unit
val i32 : t -> int -> unit
val i64 : t -> int64 -> unit
val double : t -> float -> unit
val string : t -> string -> unit

val uuid : t -> string -> unit
(** @raise Invalid_argument unless it has 16 bytes. *)

(** {1 For generated code} *)

val field : t -> int -> int -> int -> int
(** [field w last id kind] is [id], after a field's header; [last] is the id of the field before. *)

val bool_field : t -> int -> int -> bool -> int
(** [bool_field w last id v] is a header and a boolean. *)

val stop : t -> unit
val list : t -> int -> (t -> 'a -> unit) -> 'a list -> unit
val map : t -> int -> int -> (t -> 'a -> unit) -> (t -> 'b -> unit) -> ('a * 'b) list -> unit

val encode : (t -> 'a -> unit) -> Kind.protocol -> 'a -> string
(** @raise Invalid_argument as above. *)

(**/**)

val size : int -> int
(** [size n] is [n] if it can be a length.
    @raise Invalid_argument if not. *)

val u8 : t -> int -> unit
val varint : t -> int -> unit
