(** Lists of packed numbers, for generated code: what stands between a block's first position and
    the one behind it, without its tag and length. *)

(** {1 Reading}

    [read_int32 s first stop] is the list of the numbers between two positions, in order.
    @raise Error.Error if one is cut off or longer than ten bytes. *)

val read_int32 : string -> int -> int -> int list
val read_uint32 : string -> int -> int -> int list
val read_sint32 : string -> int -> int -> int list
val read_bool : string -> int -> int -> bool list
val read_int64 : string -> int -> int -> int64 list
val read_sint64 : string -> int -> int -> int64 list
val read_fixed32 : string -> int -> int -> int list
val read_sfixed32 : string -> int -> int -> int list
val read_fixed64 : string -> int -> int -> int64 list
val read_float : string -> int -> int -> float list
val read_double : string -> int -> int -> float list

val beside : int -> int
(** [beside n] is how many words reading a block of [n] bytes of varints takes beside the list. *)

(** {1 Writing}

    [write_int32 b stop l] writes the numbers before [stop] and is the position where they begin, as
    {!Encode}'s writers do.
    @raise Invalid_argument if one does not fit its 32 bits. *)

val write_int32 : Bytes.t -> int -> int list -> int
val write_uint32 : Bytes.t -> int -> int list -> int
val write_sint32 : Bytes.t -> int -> int list -> int
val write_bool : Bytes.t -> int -> bool list -> int
val write_int64 : Bytes.t -> int -> int64 list -> int
val write_sint64 : Bytes.t -> int -> int64 list -> int
val write_fixed32 : Bytes.t -> int -> int list -> int
val write_sfixed32 : Bytes.t -> int -> int list -> int
val write_fixed64 : Bytes.t -> int -> int64 list -> int
val write_float : Bytes.t -> int -> float list -> int
val write_double : Bytes.t -> int -> float list -> int
