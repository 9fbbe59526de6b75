(** RACK's state (RFC 8985 §5.2, §6.2). RACK takes the most recently sent segment that was
    delivered; segments sent sufficiently before it are lost. This module holds the arithmetic;
    {!Scoreboard} holds the segments. All times are nanoseconds. *)

open Weir_base

type t

val dup_thresh : int
(** DupThresh: three segments received after a hole mean a loss (RFC 5681 §3.2, RFC 6675 §2). *)

val create : iss:Seq.t -> t

val begin_ack : t -> now:Time.t -> echo_at:Time.t -> unit
(** [begin_ack t ~now ~echo_at] starts an ACK received at [now]. [echo_at] is the latest possible
    send time of the segment it acknowledges, by the echoed timestamp; [max_int] if unknown. *)

val delivered : t -> sent_at:Time.t -> end_seq:Seq.t -> retransmitted:bool -> unit
(** [delivered t …] is called for each segment that the current ACK newly delivers. The segment ends
    before [end_seq]; [sent_at] is when it was last sent (§6.2 steps 1 to 3). *)

val is_past : t -> sent_at:Time.t -> bool
(** [is_past t ~sent_at] is true if a segment sent after [sent_at] has been delivered. Send times
    are unique, so RACK_sent_after (§6.2) needs no second key. *)

val on_dsack : t -> snd_nxt:Seq.t -> unit
(** [on_dsack t ~snd_nxt] notes an unnecessary retransmission: the reordering window grows, at most
    once per round trip (§6.2 step 4). *)

val on_advance : t -> snd_una:Seq.t -> unit
(** [on_advance t ~snd_una] notes that SND.UNA has advanced: the round trip of {!on_dsack} may be
    over. *)

val on_undone : t -> unit
(** [on_undone t] notes reordering: the recovery was undone because the segment was only late. *)

val on_recovered : t -> unit
(** [on_recovered t] counts a recovery. After sixteen recoveries without D-SACK the reordering
    window is reset. *)

val reo_wnd : t -> in_recovery:bool -> sacked:int -> srtt:int -> int
(** [reo_wnd t ~in_recovery ~sacked ~srtt] is the reordering window: how long a segment may be late
    before it is lost (§6.2 step 4). [sacked] is the number of selectively acknowledged segments;
    [srtt] is below 0 if unknown. *)

val now : t -> Time.t
(** [now t] is when the current ACK arrived. *)

val rtt : t -> int
(** [rtt t] is the round trip of the most recently delivered segment, -1 before the first. *)

val min_rtt : t -> int
(** [min_rtt t] is the minimum over the last minutes, [max_int] before the first. *)

val sample : t -> int
(** [sample t] is the round trip that the current ACK measured from a segment whose send time is
    certain (RFC 6298 §3), else -1. *)
