(** Loss recovery with SACK. RACK detects losses (RFC 8985 §6); tail loss probes find losses at the
    end of a flight (§7). RFC 6675's pipe and proportional rate reduction (RFC 9937) limit the
    sending. The retransmission timer is the last resort (RFC 6298). An unnecessary episode is
    undone by the Eifel algorithm (RFC 3522, RFC 4015) or by D-SACK (RFC 3708). *)

val on_ack : Tcb.t -> Segment.t -> acked:int -> unit
(** [on_ack t h ~acked] processes the acceptable ACK of [h], which advanced SND.UNA by [acked]. The
    SACK blocks of an ACK below SND.UNA count too (RFC 6675 §5). *)

val on_sent : Tcb.t -> int -> unit
(** [on_sent t n] is called after a segment of [n] sequence numbers was sent and added to the
    scoreboard. It updates PRR and sets the probe timer (RFC 8985 §7.2). The caller must call
    {!Tcb.arm} afterwards. *)

val on_reorder_timer : Tcb.t -> unit
(** [on_reorder_timer t] is called when the reordering timer expires (RFC 8985 §6.3). *)

val on_probe_timer : Tcb.t -> unit
(** [on_probe_timer t] is called when no ACK has arrived for two round trips: it requests a tail
    loss probe (RFC 8985 §7.3). *)

val on_timeout : Tcb.t -> first:bool -> unit
(** [on_timeout t ~first] is called when the retransmission timer expires; [first] is true for the
    first timeout of a segment. *)
