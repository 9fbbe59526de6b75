(** One record for each segment sent and not cumulatively acknowledged: when it was sent, whether it
    was retransmitted, and its state by SACK or duplicate ACKs (RFC 6675 §3, with the times of RFC
    8985 §5.1).

    A record includes the FIN's sequence number. A SACK block that covers only part of a record is
    ignored for it. {!set_bounds} bounds the memory. A call takes O(log n) steps for each changed
    record and each SACK block, so that a hostile peer cannot cause much work with many blocks. Only
    {!on_timeout} and {!forgive} visit all records. *)

open Weir_base

type t

val create : unit -> t

val set_bounds : t -> mss:int -> buffer:int -> unit
(** [set_bounds t ~mss ~buffer] sets the longest segment and the most unacknowledged bytes. *)

val is_full : t -> bool
(** [is_full t] is true if no new segment may be sent before an acknowledgement. Only a peer that
    acknowledges many tiny segments in unusual order causes this. *)

(** {1 Sending} *)

val room : t -> int
(** [room t] is how many more segments fit, 0 if {!is_full}. *)

val sent : t -> seq:Seq.t -> upto:Seq.t -> now:Time.t -> unit
(** [sent t ~seq ~upto ~now] adds the segment [seq .. upto - 1], which follows the last one. *)

val sent_again : t -> int -> now:Time.t -> unit
(** [sent_again t i ~now] notes a retransmission of record [i], which was lost or in flight. *)

val stamp : t -> now:Time.t -> Time.t
(** [stamp t ~now] is a unique send time: later than all earlier ones and earlier than all later
    ones, even if the clock does not advance. *)

val next_lost : t -> int
(** [next_lost t] is the number of the lost record to retransmit next, or -1. Lost retransmissions
    come first. *)

val newest : t -> int
(** [newest t] is the number of the most recently sent record in flight, or -1. *)

val first_of : t -> int -> Seq.t
(** [first_of t i] is the first sequence number of record [i]. *)

val end_of_record : t -> int -> Seq.t
(** [end_of_record t i] is the sequence number after its last. *)

(** {1 Delivery rates} *)

val rate : t -> Delivery_rate.t
(** [rate t] is the estimator that [t] updates, or updated last; {!Delivery_rate.none} at first. *)

val set_rated : t -> Delivery_rate.t option -> unit
(** [set_rated t (Some r)] makes [r] the estimator of {!rate}; [set_rated t None] stops measuring.
    Segments already in flight have no stamp; only their bytes are counted. *)

val limited_by_app : t -> unit
(** [limited_by_app t] notes that cwnd would allow sending but there are no data. *)

(** {1 Acknowledgements} *)

val begin_ack : t -> unit
(** [begin_ack t] sets {!delivered} and {!newly_lost} to 0, and {!lost_sent_at} to -1. *)

val end_ack : t -> Rack.t -> unit
(** [end_ack t rack] completes the sample of {!rate}. *)

val ack : t -> Rack.t -> upto:Seq.t -> unit
(** [ack t rack ~upto] processes a cumulative ACK of everything before [upto] and passes each
    delivered record to [rack]. *)

val sack : t -> Rack.t -> left:Seq.t -> right:Seq.t -> unit
(** [sack t rack ~left ~right] processes a SACK block of [left .. right - 1] (RFC 2018 §3). It
    counts until {!on_timeout}. *)

val detect : t -> Rack.t -> now:Time.t -> reo_wnd:int -> Time.t
(** [detect t rack ~now ~reo_wnd] marks segments lost that were sent before [rack]'s most recently
    delivered segment and are more than [reo_wnd] late (RFC 8985 §6.2 step 5). It returns when the
    next segment will be lost, {!Weir_base.Time.never} if none. The RFC sets the timer for the last
    such segment; with the next one, the search can stop at the first segment that is not late. *)

val on_timeout : t -> sent_before:Time.t -> unit
(** [on_timeout t ~sent_before] is called when the retransmission timer expires. It discards all
    SACK information (RFC 2018 §8). It marks lost: the first record, all selectively acknowledged
    records, and all sent at [sent_before] or earlier (RFC 8985 §6.3). *)

val duplicate : t -> Rack.t -> upto:Seq.t -> unit
(** [duplicate t rack ~upto] processes a duplicate ACK without SACK: some segment after the first
    has arrived. It marks the first unmarked segment that ends at or before [upto], if any. *)

val lose_first : t -> upto:Seq.t -> unit
(** [lose_first t ~upto] marks the first segment lost, without SACK. If it had {!duplicate}'s mark,
    the mark moves to the next unmarked segment. *)

val forget_duplicates : t -> unit
(** [forget_duplicates t] removes all marks of {!duplicate}: these segments are in flight again. *)

val forgive : t -> unit
(** [forgive t] makes all lost segments in flight again. *)

(** {1 Shorter segments} *)

val cut : t -> mss:int -> data_end:Seq.t -> frames:bool -> bool
(** [cut t ~mss ~data_end ~frames] splits each record of more than [mss] bytes of data, which end at
    [data_end], into several; those in flight become lost. With [frames] so does the short end of a
    long frame, since a router drops such a frame as a whole. It is true if there was any.
    Duplicates must be forgotten before ({!forget_duplicates}). It visits all records. *)

val sacked_at : t -> Seq.t -> bool
(** [sacked_at t seq] is true if the record that contains [seq] is selectively acknowledged. *)

val is_lost_at : t -> Seq.t -> bool
(** [is_lost_at t seq] is true if that record is lost. *)

val lost_at : t -> Seq.t -> int
(** [lost_at t seq] is the length of the record that begins at [seq] if it is lost, or 0. *)

val head_length : t -> int
(** [head_length t] is the length of the first record, 0 if there is none. *)

(** {1 Sums} *)

val delivered : t -> int
(** [delivered t] is the bytes delivered since {!begin_ack}, cumulatively or selectively (RFC 9937's
    DeliveredData). *)

val late : t -> bool
(** [late t] is true if a segment was delivered since {!begin_ack} that was lost, but was not sent
    again: its original has arrived. *)

val newly_lost : t -> int
(** [newly_lost t] is the bytes marked lost since {!begin_ack}. *)

val lost_sent_at : t -> Time.t
(** [lost_sent_at t] is the latest send time of the segments marked lost since {!begin_ack}; -1 if
    none. *)

val in_flight : t -> int
(** [in_flight t] is the bytes sent and neither acknowledged nor lost: RFC 6675's pipe. *)

val lost : t -> int
(** [lost t] is the bytes lost and not yet retransmitted. *)

val sacked_segments : t -> int

val records : t -> int
(** [records t] is the number of records. *)

val is_empty : t -> bool
val clear : t -> unit

val trim_storage : t -> unit
(** [trim_storage t] frees the memory if there are no records. *)

val iter : (Seq.t -> Seq.t -> [ `In_flight | `Sacked | `Lost ] -> unit) -> t -> unit
(** [iter f t] calls [f first upto state] for each record, in order of sequence number. For tests.
*)
