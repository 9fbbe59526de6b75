(** What loss recovery does with SACK and without alike, on {!Tcb.t}'s scoreboard: how an episode
    begins, what paces it, how it ends (RFC 5681 §3.2, RFC 6675 §5, RFC 9937). What is lost is said
    by {!Sack_recovery} or {!Newreno}. *)

val tell_algorithm : Tcb.t -> pipe:int -> acked:int -> unit
(** [tell_algorithm t ~pipe ~acked]: the ACK at hand told of [acked] bytes, when [pipe] was in
    flight. *)

val pace : Tcb.t -> advanced:bool -> unit
(** [pace t ~advanced] is cwnd in fast recovery after the ACK at hand (RFC 9937 §6.2); [advanced] if
    it moved SND.UNA. *)

val reduced_now : Tcb.t -> Weir_base.Time.t
(** [reduced_now t] is the {!Scoreboard.stamp} of a reduction of the window. *)

val begin_fast : Tcb.t -> acked:int -> unknown:int -> unit
(** [begin_fast t ~acked ~unknown]: the first loss is known (RFC 6675 §5 steps 4.1 and 4.2).
    FlightSize is as the ACK found it that moved SND.UNA by [acked]; [unknown] is RFC 9937's
    RecoverFS, of which nothing had told before that it arrived. *)

val finish : Tcb.t -> unit
(** [finish t]: all that SND.UNA had to pass is acknowledged (RFC 9937 §6.4). *)

val on_timeout : Tcb.t -> first:bool -> sent_before:Weir_base.Time.t -> unit
(** [on_timeout t ~first ~sent_before]: the retransmission timer ran out, [first] if not for the
    same segment again: what was sent at [sent_before] or earlier is lost. *)

val on_sent : Tcb.t -> int -> unit
(** [on_sent t n]: a segment of [n] numbers went, new or again: PRR counts it. *)
