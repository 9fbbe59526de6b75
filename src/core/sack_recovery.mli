(** Loss recovery with a peer that permits SACK: what is lost by RACK (RFC 8985 §6), a probe for the
    tail (§7), how much may be sent meanwhile by RFC 6675's pipe and proportional rate reduction
    (RFC 9937). The retransmission timer stays as the last resort (RFC 6298). An episode that proves
    needless is undone, by the Eifel algorithm (RFC 3522, RFC 4015) or by D-SACK (RFC 3708). *)

val on_ack : Tcb.t -> Segment.t -> acked:int -> unit
(** [on_ack t h ~acked]: [h]'s ACK is acceptable and has moved SND.UNA by [acked]. If it is below,
    its SACK blocks count all the same (RFC 6675 §5). *)

val on_sent : Tcb.t -> int -> unit
(** [on_sent t n]: a segment of [n] numbers went and stands in the scoreboard: PRR counts it, and
    the probe timer is set (RFC 8985 §7.2). Deadlines moved: {!Tcb.arm} is to follow. *)

val on_reorder_timer : Tcb.t -> unit
(** [on_reorder_timer t]: the reordering window is over for some (RFC 8985 §6.3). *)

val on_probe_timer : Tcb.t -> unit
(** [on_probe_timer t]: nothing came for two round trips: a probe is due (RFC 8985 §7.3). *)

val on_timeout : Tcb.t -> first:bool -> unit
(** [on_timeout t ~first]: the retransmission timer ran out; [first] if not for the same segment
    again. *)
