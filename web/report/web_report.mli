(** What must be the same natively and in JavaScript. *)

val integers : unit -> string list
(** [integers ()] is a line for each operation and pair of a table of integers, of at most 53 bits
    where the result has no more. *)

val twins : unit -> string list
(** [twins ()] is what the functions written in C give for bytes of many lengths and alignments. *)

val worlds : seeds:int -> string list
(** [worlds ~seeds] is a line for each scenario of [weir sim] and each of its first seeds: virtual
    time, frames and digest. *)

val speed : bytes:int -> float
(** [speed ~bytes] is how many segments a second of processor time two hosts exchange, on both sides
    together, in a transfer of [bytes] without loss. *)
