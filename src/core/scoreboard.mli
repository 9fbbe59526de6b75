(** What has been sent and not cumulatively acknowledged, segment by segment: when, whether again,
    and what SACK or duplicate ACKs told of it (RFC 6675 §3, with the times of RFC 8985 §5.1).

    Records are as segments were sent, the FIN's number included; a block that covers a record only
    in part says nothing of it. Memory is bounded by {!set_bounds}. Every call costs a few steps,
    times the logarithm of the number of records, for each record that changes and for each SACK
    block, so that no order or number of blocks is worth sending for a hostile peer; except
    {!on_timeout} and {!forgive}, which look at all. *)

open Weir_base

type t

val create : unit -> t

val set_bounds : t -> mss:int -> buffer:int -> unit
(** [set_bounds t ~mss ~buffer]: segments are at most [mss] bytes, and at most [buffer] bytes are
    unacknowledged. *)

val is_full : t -> bool
(** [is_full t]: nothing new may be sent before something is acknowledged. Only a peer that
    acknowledges many tiny segments in odd order comes so far. *)

(** {1 Sending} *)

val room : t -> int
(** [room t] is how many segments more it takes, 0 if {!is_full}. *)

val sent : t -> seq:Seq.t -> upto:Seq.t -> now:Time.t -> unit
(** [sent t ~seq ~upto ~now] adds the segment [seq .. upto - 1], which follows the last one. *)

val sent_again : t -> int -> now:Time.t -> unit
(** [sent_again t i ~now]: record [i], lost or in flight, went once more. *)

val stamp : t -> now:Time.t -> Time.t
(** [stamp t ~now] is a time of its own, as each sending has: later than all that went before, and
    earlier than what goes after, though the clock stands still. *)

val next_lost : t -> int
(** [next_lost t] is the number of the lost record that is first to go again, or -1. A
    retransmission that was lost goes before what was lost once. *)

val newest : t -> int
(** [newest t] is the number of the record in flight that was sent last, or -1. *)

val first_of : t -> int -> Seq.t
(** [first_of t i] is where record [i] begins. *)

val end_of_record : t -> int -> Seq.t
(** [end_of_record t i] is the number after its last. *)

(** {1 Delivery rates} *)

val rate : t -> Delivery_rate.t
(** [rate t] is the estimator that counts what [t] tells it, while {!set_rated} says so. *)

val set_rated : t -> bool -> unit
(** [set_rated t b]: whether segments carry stamps for {!rate}. What is in flight has none, and is
    only counted. *)

val limited_by_app : t -> unit
(** [limited_by_app t]: there is nothing to send though cwnd would let it. *)

(** {1 Acknowledgements} *)

val begin_ack : t -> unit
(** [begin_ack t] sets {!delivered} and {!newly_lost} to 0, and {!lost_sent_at} to -1. *)

val end_ack : t -> Rack.t -> unit
(** [end_ack t rack] completes the sample of {!rate}. *)

val ack : t -> Rack.t -> upto:Seq.t -> unit
(** [ack t rack ~upto]: everything before [upto] has arrived. [rack] is told of each record. *)

val sack : t -> Rack.t -> left:Seq.t -> right:Seq.t -> unit
(** [sack t rack ~left ~right]: so have [left .. right - 1] (RFC 2018 §3), until {!on_timeout}. *)

val detect : t -> Rack.t -> now:Time.t -> reo_wnd:int -> Time.t
(** [detect t rack ~now ~reo_wnd] takes for lost what was sent before the segment that [rack] knows
    as delivered last, and is more than [reo_wnd] late (RFC 8985 §6.2 step 5). It is the instant at
    which the next one would be, {!Weir_base.Time.never} if none. The RFC waits for the last one
    instead; this way the search ends at the first that is not late. *)

val on_timeout : t -> sent_before:Time.t -> unit
(** [on_timeout t ~sent_before]: the retransmission timer ran out. SACK is no longer believed (RFC
    2018 §8), and lost are the first record, what was selectively acknowledged, and what was sent at
    [sent_before] or earlier (RFC 8985 §6.3). *)

val duplicate : t -> Rack.t -> upto:Seq.t -> unit
(** [duplicate t rack ~upto]: without SACK, a duplicate ACK says that a segment after the first has
    arrived; it is taken for the first that is not marked yet and ends by [upto]. Nothing if there
    is none. *)

val lose_first : t -> upto:Seq.t -> unit
(** [lose_first t ~upto]: without SACK, the first segment is lost. If it is marked, the mark goes to
    the next one without, as {!duplicate} finds it. *)

val forget_duplicates : t -> unit
(** [forget_duplicates t]: without SACK, what is marked is in flight. *)

val forgive : t -> unit
(** [forgive t]: what was taken for lost is in flight. *)

(** {1 Sums} *)

val delivered : t -> int
(** [delivered t] is how many bytes were found to have arrived since {!begin_ack}, in either way
    (RFC 9937's DeliveredData). *)

val newly_lost : t -> int
(** [newly_lost t] is how many bytes were lost since {!begin_ack}. *)

val lost_sent_at : t -> Time.t
(** [lost_sent_at t] is when that was last sent which was found lost since {!begin_ack}, of several
    the latest; -1 if nothing was. *)

val in_flight : t -> int
(** [in_flight t] is how many bytes are in the network: sent, neither acknowledged nor lost; RFC
    6675's pipe. *)

val lost : t -> int
(** [lost t] is how many bytes are lost and not sent again. *)

val sacked_segments : t -> int

val records : t -> int
(** [records t] is how many segments are unacknowledged. *)

val is_empty : t -> bool
val clear : t -> unit

val trim_storage : t -> unit
(** [trim_storage t] gives the memory back if nothing is unacknowledged. *)

val iter : (Seq.t -> Seq.t -> [ `In_flight | `Sacked | `Lost ] -> unit) -> t -> unit
(** [iter f t] calls [f first upto state] for each record in order of sequence: for tests. *)
