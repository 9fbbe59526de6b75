(** Lists of booleans, a bit for each: what a [List(Bool)] is in a record. Two with the same
    elements are equal by [=]. *)

type t

val empty : t
val length : t -> int

val get : t -> int -> bool
(** @raise Invalid_argument outside 0 to [length t - 1]. *)

val init : int -> (int -> bool) -> t
(** [init n f] has [f 0] to [f (n - 1)], called in this order.
    @raise Invalid_argument if [n] is negative. *)

val of_list : bool list -> t

val to_list : t -> bool list
(** [to_list t] takes 192 times the memory of [t]. *)

val to_seq : t -> bool Seq.t

(**/**)

val of_bytes : Bytes.t -> int -> t
(** [of_bytes b n] is of the first [n] bits of [b], which is the list's from now on.
    @raise Invalid_argument unless [b] has as many bytes as [n] bits take. *)

val bytes : t -> string
(** [bytes t] is the first bit lowest, zeros after the last. *)
