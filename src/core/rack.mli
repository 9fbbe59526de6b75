(** RACK's state (RFC 8985 §5.2, §6.2): from the time at which the segment was sent that was
    delivered last, in the order of sending, follows which of those sent before it are late. This
    file holds the arithmetic; the segments are {!Scoreboard}'s. All times are nanoseconds. *)

open Weir_base

type t

val dup_thresh : int
(** DupThresh: three segments that came after a hole mean a loss (RFC 5681 §3.2, RFC 6675 §2). *)

val create : iss:Seq.t -> t

val begin_ack : t -> now:Time.t -> echo_at:Time.t -> unit
(** [begin_ack t ~now ~echo_at]: an ACK came at [now]. [echo_at] is the latest instant at which the
    segment that it answers can have been sent, by the echoed timestamp; [max_int] if unknown. *)

val delivered : t -> sent_at:Time.t -> end_seq:Seq.t -> retransmitted:bool -> unit
(** [delivered t …]: the ACK at hand is the first to say that the segment ending before [end_seq]
    has arrived; [sent_at] is when it was last sent (§6.2 steps 1 to 3). *)

val is_past : t -> sent_at:Time.t -> bool
(** [is_past t ~sent_at]: a segment sent later has been delivered. No two are sent at one time, so
    that RACK_sent_after (§6.2) needs no second key. *)

val on_dsack : t -> snd_nxt:Seq.t -> unit
(** [on_dsack t ~snd_nxt]: something was sent again without need: the window grows, once in a round
    trip (§6.2 step 4). *)

val on_advance : t -> snd_una:Seq.t -> unit
(** [on_advance t ~snd_una] notes that SND.UNA has moved: a round trip of D-SACKs may be over. *)

val on_undone : t -> unit
(** [on_undone t]: what was sent again had only been late, which is reordering, though the late copy
    could not be told from the other. *)

val on_recovered : t -> unit
(** [on_recovered t]: after sixteen recoveries without D-SACK the window is as at first. *)

val reo_wnd : t -> in_recovery:bool -> sacked:int -> srtt:int -> int
(** [reo_wnd t ~in_recovery ~sacked ~srtt] is how much later than the delivered one a segment may be
    before it is lost (§6.2 step 4); [sacked] is the number of segments selectively acknowledged,
    [srtt] below 0 if unknown. *)

val now : t -> Time.t
(** [now t] is when the ACK at hand came. *)

val rtt : t -> int
(** [rtt t] is the round trip of the segment that was delivered last, -1 before the first. *)

val min_rtt : t -> int
(** [min_rtt t] is the least of the last minutes, [max_int] before the first. *)

val sample : t -> int
(** [sample t] is the round trip that the ACK at hand measured, of a segment for which it is certain
    when it was sent (RFC 6298 §3), else -1. *)
