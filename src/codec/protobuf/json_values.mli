(** Single values of JSON, for what reads it by code, by tables and by descriptors. Their memory is
    charged by {!Json_cursor.spend}, and failures raise {!Error.Error}. *)

exception Left_out
(** A value that is to be left out: an enum's name that is not known. *)

val made : int
(** The words of a boxed number or two. *)

val of_value : int
(** Of what one value leaves on the way, at most. *)

val of_slow_number : int
(** Of a number that is not plainly written. *)

val whole_number : Json_cursor.t -> Descriptor.kind -> int64
(** [whole_number t k] is a whole number however it is written, quoted or not. *)

val wide_number : Json_cursor.t -> Descriptor.kind -> int64
(** [wide_number t k] is the same, without white space before it. *)

val number_key : Json_cursor.t -> Descriptor.kind -> string -> int64
(** [number_key t k text] is the number that a map's key [text] writes, behind which [t] is. *)

val float_value : Json_cursor.t -> float

val named_value : Json_cursor.t -> Descriptor.enum -> int
(** [named_value t e] is the number of the value whose name is next, quoted; {!Json_lexer.not_plain}
    if it is another, which is then not passed over. *)

val enum_name : Json_cursor.t -> Descriptor.enum -> int64
(** [enum_name t e] is the value that is next, by name or number.
    @raise Left_out if unknown names are ignored and it is one. *)

val bytes_value : Json_cursor.t -> string
