(** Pacing: a window is spread over the round trip instead of leaving as one burst. The rate is the
    congestion control's ({!Congestion.pacing_rate}).

    A flow sends for a millisecond's worth of its rate at once, and one segment in any case; then it
    waits until that would have left at the rate. So a connection asks for at most about 1,000
    wake-ups a second, and frames that stand for many segments stay whole from 0.5 Gbit/s on. The
    first flight and the first ten segments after the pipe ran empty are not held back (RFC 6928).
    Rates of 10 Gbit/s and more are not paced, nor are round trips below {!Congestion.least_paced}
    unless the congestion control has its [own_recovery]. ACKs, window probes and tail loss probes
    never wait. *)

val update : Tcb.t -> unit
(** [update t] takes the rate from the congestion control. Call it after each ACK that reports
    delivered data. *)

val holds : Tcb.t -> bool
(** [holds t], if [t.pace_rate > 0], is true if a segment that is ready now must wait. The timer is
    armed then. *)

val sends : Tcb.t -> int -> unit
(** [sends t n], if [t.pace_rate > 0], counts a segment of [n] bytes that leaves now; call it before
    the segment is recorded in the scoreboard. *)

val expire : Tcb.t -> unit
(** [expire t] is called when [t.pace_at] has come. *)
