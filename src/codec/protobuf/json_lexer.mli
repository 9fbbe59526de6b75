(** A pull parser of JSON (RFC 8259) over a string: the caller asks for what may come next.

    All failures raise {!Error.Error} with the byte's position. *)

type t = Json_cursor.t
(** What reading takes is charged by {!Json_cursor.spend}. *)

val of_string : string -> t

val at : string -> int -> t
(** [at s p] begins at [p]. *)

val position : t -> int

val seek : t -> int -> unit
(** [seek t p] goes back to a position that {!position} gave. *)

val peek : t -> char
(** [peek t] is the first character behind white space; ['\000'] at the end. *)

val expect : t -> char -> unit
(** [expect t c] passes over [c]. *)

val accept : t -> char -> bool
(** [accept t c] passes over [c] if it is next. *)

val null : t -> bool
(** [null t] passes over [null] if it is next. *)

val bool : t -> bool

val string : t -> string
(** [string t] is the next string, escapes undone, checked to be UTF-8. *)

val number : t -> string
(** [number t] is the next number as it is written. *)

val plain_integer : t -> int
(** [plain_integer t] is the whole number of at most 18 digits, plainly written, quoted or not, at
    {!position}; {!not_plain} if something else is there, which is then not passed over. *)

val not_plain : int

val plain_key : string -> int
(** [plain_key text] is likewise what the whole of [text] says, which is not quoted. *)

val wide_integer : t -> unsigned:bool -> int64
(** [wide_integer t ~unsigned] is the same of at most 20 digits that fits 64 bits, signed or not. If
    something else is there, {!position} stays. *)

val plain_double : t -> float
(** [plain_double t] is the number at {!position}, if it is written without exponent and in so few
    digits that one division gives the nearest double. If not, {!position} stays. *)

val is_digit : char -> bool

val goes_on : char -> bool
(** [goes_on c] is whether a number may go on with [c]. *)

val text_words : int -> int
(** [text_words n] is how many words a string of [n] bytes takes, or a little more. *)

val buffer : int
(** The words of a [Buffer] without what is in it. *)

val skip : t -> depth:int -> unit
(** [skip t ~depth] passes over one value of any kind. *)

val finish : t -> unit
(** [finish t] fails if anything but white space is left. *)

val fail : t -> string -> 'a
(** [fail t reason] fails at {!position}. *)
