(** The kinds of list elements, as the encoding numbers them. *)

val void : int
val bit : int
val byte : int
val two_bytes : int
val four_bytes : int
val eight_bytes : int
val pointer : int
val struct_ : int
