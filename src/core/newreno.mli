(** What is lost with a peer that does not permit SACK, by duplicate ACKs (RFC 6582): three of them
    mean the first segment, and in recovery each partial ACK means the next one. A duplicate stands
    for a segment that arrived, and is marked so in the scoreboard, which segment it ever was: so
    what is in flight is known as with SACK (RFC 6675 §4), and limited transmit (RFC 3042) and
    proportional rate reduction follow. With SACK {!Sack_recovery} stands here. *)

val on_duplicate : Tcb.t -> unit
(** [on_duplicate t]: an ACK has come that RFC 5681 §2 calls a duplicate. *)

val on_new_ack : Tcb.t -> acked:int -> unit
(** [on_new_ack t ~acked]: SND.UNA has moved by [acked]. *)

val on_timeout : Tcb.t -> first:bool -> unit
(** [on_timeout t ~first]: the retransmission timer ran out; [first] if not for the same segment
    again. All that is unacknowledged is lost (RFC 6582 §3.2 step 4). *)
