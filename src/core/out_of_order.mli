(** The sequence ranges that arrived ahead of a gap (RFC 9293 §3.10.7.4, seventh step), and the SACK
    blocks that tell of them (RFC 2018 §4). The bytes themselves stand in the receive ring, so they
    are bounded by its capacity; the ranges are bounded in number, so that a peer that sends many
    tiny holes costs little. *)

type t

val max_ranges : int
val empty : t
val is_empty : t -> bool

val add : t -> Seq.t -> Seq.t -> t option
(** [add t first last] includes [first .. last - 1], joined with what it touches; [None] if that
    would make more than {!max_ranges}. *)

val take : t -> Seq.t -> Seq.t * t
(** [take t next] is where the data run to if [next] is the first byte awaited, and the ranges that
    remain beyond. *)

val ranges : t -> (Seq.t * Seq.t) list
(** [ranges t] is in order of sequence, none touching another. *)

val blocks : t -> (Seq.t * Seq.t) list
(** [blocks t] is at most four of {!ranges}: the one that was last added to first, then those before
    it (RFC 2018 §4). *)

val overlap : t -> Seq.t -> Seq.t -> (Seq.t * Seq.t) option
(** [overlap t first last] is the first part of [first .. last - 1] that [t] holds: what a duplicate
    repeats (RFC 2883 §4). *)
