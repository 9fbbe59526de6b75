(** The sequence ranges received out of order (RFC 9293 §3.10.7.4, seventh step), and their SACK
    blocks (RFC 2018 §4). The bytes are in the receive ring, whose capacity bounds them. The number
    of ranges is bounded too, against peers that send many tiny holes. *)

type t

val max_ranges : int
val empty : t
val is_empty : t -> bool

val add : t -> Seq.t -> Seq.t -> t option
(** [add t first last] adds [first .. last - 1] and merges it with adjacent ranges. [None] if there
    would be more than {!max_ranges}. *)

val take : t -> Seq.t -> Seq.t * t
(** [take t next] is the end of the data that are contiguous from [next], and the remaining ranges.
*)

val ranges : t -> (Seq.t * Seq.t) list
(** [ranges t] is in order of sequence number; no two ranges are adjacent. *)

val blocks : t -> (Seq.t * Seq.t) list
(** [blocks t] is at most four of {!ranges}, the most recently changed first (RFC 2018 §4). *)

val overlap : t -> Seq.t -> Seq.t -> (Seq.t * Seq.t) option
(** [overlap t first last] is the first part of [first .. last - 1] that is already in [t]: the
    duplicate part (RFC 2883 §4). *)
