(** Tokens of the text format (Protocol Buffers documentation, "Text Format Language
    Specification"), pulled from a string.

    All failures raise {!Error.Error} with the byte's position. *)

type t

val of_string : string -> memory:int -> t
(** [of_string s ~memory] begins at [s]'s first byte; tokens take at most so many words. *)

val spend : t -> int -> unit
(** [spend t words] takes from what is left of them; it fails where that is too little. *)

val memory : t -> int
(** [memory t] is what is left. *)

val is_letter : char -> bool
val is_digit : char -> bool
val position : t -> int

val seek : t -> int -> unit
(** [seek t p] goes back to a position that {!position} gave. *)

val peek : t -> char
(** [peek t] is the first character behind white space and comments; ['\000'] at the end. *)

val accept : t -> char -> bool
val expect : t -> char -> unit

val known_next : t -> Descriptor.field list -> Descriptor.field list -> Descriptor.field list
(** [known_next t guess fields] is the field whose name is next, and those behind it in [guess], or
    else in [fields]; [[]] if it is none of these, and then not passed over. *)

val name : t -> string
(** [name t] is the next identifier. *)

val bracketed : t -> string
(** [bracketed t] is what stands between [\[] and [\]]: an extension's name or an Any's URL. *)

val literal : t -> string
(** [literal t] is the next identifier or number as it is written, sign excluded. *)

val plain_number : t -> int
(** [plain_number t] is the decimal number of at most 18 digits that is the whole of the next
    literal; -1 if that is another, which is then not passed over. *)

val wide_number : t -> negative:bool -> unsigned:bool -> int64
(** [wide_number t ~negative ~unsigned] is that of 19 or 20 digits, its sign given; {!position}
    stays where there is none, or it does not fit 64 bits. *)

val strings : t -> string
(** [strings t] is the next string literals, joined, escapes undone. *)

val skip_value : t -> depth:int -> unit
(** [skip_value t ~depth] passes over a field's value, of whatever kind, and the colon before it. *)

val at_end : t -> bool
val fail : t -> string -> 'a
