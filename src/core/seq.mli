(** Sequence numbers: integers modulo 2{^ 32} in an unboxed [int] (RFC 9293 §3.4). *)

type t = int
(** 0 to 2{^ 32}-1. *)

val add : t -> int -> t
(** [add s n] is [s + n]; [n] may be negative. *)

val diff : t -> t -> int
(** [diff a b] is the signed distance from [b] to [a], -2{^ 31} to 2{^ 31}-1. *)

val lt : t -> t -> bool
val leq : t -> t -> bool
val max : t -> t -> t
