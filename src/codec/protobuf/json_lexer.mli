(** A pull parser of JSON (RFC 8259) over a string: the caller asks for what may come next.

    All failures raise {!Error.Error} with the byte's position. *)

type t

val of_string : string -> t
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

val name : t -> string array -> string
(** [name t known] is {!string}; what it returns is remembered in [known], whose length is a power
    of two, and shared with the next string of the same bytes. *)

val number : t -> string
(** [number t] is the next number as it is written. *)

val short_integer : t -> int
(** [short_integer t] is the next whole number, quoted or not, if it is of at most 15 digits and
    plainly written; else {!not_short}, and nothing is passed over. *)

val not_short : int

val short_float : t -> float
(** [short_float t] is the next number if it is of at most 15 digits without exponent; else a NaN,
    and nothing is passed over. *)

val skip : t -> depth:int -> unit
(** [skip t ~depth] passes over one value of any kind. *)

val finish : t -> unit
(** [finish t] fails if anything but white space is left. *)

val fail : t -> string -> 'a
(** [fail t reason] fails at {!position}. *)
