(** Bytes read, compared and copied eight at a time, without a call to C. Nothing checks bounds. *)

val word : string -> int -> int64
(** [word s i] is the 8 bytes of [s] from [i] on, the first the lowest. *)

val lowest : int64 -> int
(** [lowest m] is which byte of a word, 0 to 7, holds the lowest bit of [m], that of a byte's top
    bits; 0 if [m] is 0. *)

val high : int64
(** The top bits of a word's bytes. *)

val ones : int64 -> int
(** [ones m] is how many of the top bits of a word's bytes are set in [m], which has no others. *)

val digits : int64 -> int -> int
(** [digits w n] is the number that the first [n] bytes of word [w], 1 to 7 decimal digits, write.
*)

val not_digits : int64 -> int64
(** [not_digits w] has the top bit of each byte that is no decimal digit, up to the first such:
    those of later bytes may be wrong. *)

val copy : string -> int -> Bytes.t -> int -> int -> unit
(** [copy s from b at n] copies [n] bytes; the ranges must be within [s] and [b]. *)

val sub : string -> int -> int -> string
(** [sub s from n] is those bytes of [s]; the empty string is always the same one. *)

val same : string -> int -> string -> int -> int -> bool
(** [same a i b j n] is whether [n] bytes of [a] from [i] on are those of [b] from [j] on. *)
