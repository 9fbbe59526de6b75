(** Loss detection without SACK, by duplicate ACKs (RFC 6582). Three duplicates mean that the first
    segment is lost; in recovery, each partial ACK means that the next one is lost. Each duplicate
    also means that some segment has arrived, and one segment is marked so in the scoreboard. So the
    bytes in flight are known as with SACK (RFC 6675 §4), for limited transmit (RFC 3042) and
    proportional rate reduction. With SACK, {!Sack_recovery} is used instead. *)

val on_duplicate : Tcb.t -> unit
(** [on_duplicate t] processes a duplicate ACK as defined in RFC 5681 §2. *)

val on_new_ack : Tcb.t -> Segment.t -> acked:int -> unit
(** [on_new_ack t h ~acked] is called when SND.UNA has advanced by [acked], by the ACK [h]. *)

val on_timeout : Tcb.t -> first:bool -> unit
(** [on_timeout t ~first] is called when the retransmission timer expires; [first] is true for the
    first timeout of a segment. All unacknowledged data are lost (RFC 6582 §3.2 step 4). *)
