(** Mixing of bits, for hashes that need no protection against an attacker who sees them. *)

val scramble : int -> int
(** [scramble n] is the high 52 of the 63 bits of the product of [n] and an odd constant: its high
    bits depend on all bits of [n]. Where integers are shorter than 63 bits, as in JavaScript, it is
    the same function of an [n] of at most 53 bits. *)

val by_limbs : int -> int
(** [by_limbs n] is [scramble n], computed without integers of more than 45 bits. *)
