(** The line before a chunk: its size and extensions (RFC 9112 §7.1, §7.1.1), one byte at a time. *)

type state

val start : state

type verdict = Going | Complete | Bad

val verdict : state -> verdict

val next : state -> char -> state
(** [next s c] is the state after [c]. *)

val in_size : state -> bool
(** [in_size s] is whether the byte that led to [s] is a digit of the size. *)

val in_extension : state -> bool
(** [in_extension s] is whether the byte that led to [s] belongs to an extension. *)
