(** The part of loss recovery that is the same with and without SACK: how an episode begins, its
    window, how it ends (RFC 5681 §3.2, RFC 6675 §5, RFC 9937). {!Sack_recovery} or {!Newreno}
    detects the losses. *)

val tell_algorithm : Tcb.t -> pipe:int -> acked:int -> unit
(** [tell_algorithm t ~pipe ~acked] passes the current ACK to the congestion control algorithm:
    [acked] bytes newly delivered, [pipe] bytes in flight before. *)

val pace : Tcb.t -> advanced:bool -> unit
(** [pace t ~advanced] sets cwnd in fast recovery after the current ACK (RFC 9937 §6.2). [advanced]
    is true if the ACK advanced SND.UNA. *)

val reduced_now : Tcb.t -> Weir_base.Time.t
(** [reduced_now t] is the {!Scoreboard.stamp} for a reduction of the window now. *)

val begin_fast : Tcb.t -> acked:int -> unknown:int -> unit
(** [begin_fast t ~acked ~unknown] begins fast recovery (RFC 6675 §5 steps 4.1 and 4.2). FlightSize
    is its value before the current ACK, which advanced SND.UNA by [acked]. [unknown] is RFC 9937's
    RecoverFS: the bytes not known to have arrived before the ACK. *)

val finish : Tcb.t -> unit
(** [finish t] ends the episode: SND.UNA has reached the recovery point (RFC 9937 §6.4). *)

val on_timeout : Tcb.t -> first:bool -> sent_before:Weir_base.Time.t -> unit
(** [on_timeout t ~first ~sent_before] is called when the retransmission timer expires; [first] is
    true for the first timeout of a segment. Segments sent at [sent_before] or earlier are lost. *)

val echo_at : Tcb.t -> Segment.t -> Weir_base.Time.t
(** [echo_at t h] is the latest time at which the segment that [h] acknowledges can have been sent,
    by the echoed timestamp; [max_int] without one. *)

val answers_original : Tcb.t -> echo_at:Weir_base.Time.t -> bool
(** [answers_original t ~echo_at] is true if the ACK of the first retransmission is one of the
    original: it echoes an earlier timestamp (Eifel, RFC 3522 §3.2). *)

val undo : Tcb.t -> unit
(** [undo t] ends an episode that had no loss, and restores the state before it (RFC 4015 §3.2). *)

val on_sent : Tcb.t -> int -> unit
(** [on_sent t n] tells PRR of a segment of [n] sequence numbers, new or retransmitted. *)
