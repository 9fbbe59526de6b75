(** The delivery rate estimator of draft-cheng-iccrg-delivery-rate-estimation-02. When a segment is
    sent, the bytes delivered so far are stored with it. When the segment is delivered, a sample is
    the bytes delivered since then divided by the time passed. {!Scoreboard} stores the stamps;
    {!Scoreboard} and {!Recovery} call this module; a congestion control algorithm reads the sample.
    Sizes are bytes, times nanoseconds. *)

open Weir_base

type t = private {
  (* State of the connection. *)
  mutable delivered : int;  (** C.delivered: total bytes delivered, each counted once *)
  mutable delivered_at : Time.t;  (** C.delivered_time: when the last of them was acknowledged *)
  mutable first_sent_at : Time.t;
      (** C.first_sent_time: send time of the most recently delivered segment, the start of the
          measured flight *)
  mutable app_limited_upto : int;
      (** C.app_limited: samples are marked app-limited until [delivered] exceeds this; 0 if they
          are not marked *)
  (* The sample of the current ACK. *)
  mutable newest_sent_at : Time.t;
      (** send time of the sampled segment, the most recently sent one that the ACK delivered *)
  mutable prior_delivered : int;  (** rs.prior_delivered: {!delivered} when it was sent *)
  mutable prior_at : Time.t;
      (** rs.prior_time: {!delivered_at} when it was sent; below 0 if there is no sample *)
  mutable send_elapsed : int;  (** rs.send_elapsed *)
  mutable ack_elapsed : int;  (** rs.ack_elapsed *)
  mutable app_limited : bool;
      (** rs.is_app_limited: the sender limited the rate; the path may be faster *)
  mutable sample : int;  (** rs.delivered: bytes delivered in [interval]; 0 if there is no sample *)
  mutable interval : int;  (** rs.interval *)
  mutable tx_in_flight : int;  (** rs.tx_in_flight: bytes in flight when it was sent, itself too *)
  mutable prior_lost : int;  (** {!lost} when it was sent *)
  (* Losses. *)
  mutable lost : int;  (** C.lost: total bytes marked lost *)
  mutable lost_size : int;  (** bytes of the segment that was marked last *)
  mutable lost_tx_in_flight : int;  (** bytes in flight when it was sent, itself too *)
  mutable lost_since : int;  (** bytes marked lost since it was sent, itself too *)
  mutable lost_app_limited : bool;  (** the sender limited the rate when it was sent *)
  mutable on_lost : unit -> unit;
}

val create : unit -> t

val none : t
(** An estimator that has measured nothing. Connections whose rate nobody asks for share it; nothing
    may be measured with it. *)

val restart : t -> now:Time.t -> unit
(** [restart t ~now] is called before sending while nothing is in flight (§3.2). *)

val begin_ack : t -> unit
(** [begin_ack t] starts an ACK, without a sample. *)

val counts : t -> now:Time.t -> int -> unit
(** [counts t ~now n] counts [n] bytes delivered whose send time is unknown. *)

val corrects : t -> int -> unit
(** [corrects t n] adds [n] bytes: the segment counted before was another one, [n] bytes longer. *)

val stamp_words : int
(** Integers in a stamp. *)

val stamp : t -> int array -> int -> in_flight:int -> unit
(** [stamp t a i ~in_flight] writes the stamp of a segment sent now from [a.(i)] on (§3.2).
    [in_flight] includes the segment. *)

val no_stamp : int array -> int -> unit
(** [no_stamp a i] marks a segment sent before measurement began. *)

val delivers : t -> int array -> int -> now:Time.t -> bytes:int -> sent_at:Time.t -> unit
(** [delivers t a i ~now ~bytes ~sent_at] is called when a segment of [bytes] with the stamp at
    [a.(i)] was delivered. [sent_at] is when it was last sent; no two segments have the same (§3.3,
    UpdateRateSample). *)

val loses : t -> int array -> int -> bytes:int -> unit
(** [loses t a i ~bytes] is called when a segment of [bytes] with the stamp at [a.(i)] is marked
    lost. It calls the function of {!set_on_lost}. *)

val set_on_lost : t -> (unit -> unit) -> unit
(** [set_on_lost t f] lets [f] be called for each lost segment that has a stamp, after the fields
    [lost_…] were set. *)

val end_ack : t -> min_rtt:int -> unit
(** [end_ack t ~min_rtt] completes the sample (§3.3, GenerateRateSample). Its interval is the longer
    of the flight's send time and its acknowledgement time, so that bursts of data or ACKs do not
    appear faster than the path. There is no sample if the interval is 0 or shorter than [min_rtt]
    ([max_int] if unknown). *)

val limit_by_app : t -> in_flight:int -> unit
(** [limit_by_app t ~in_flight] is called when the sender could send but has no data (§3.4). Samples
    are marked until the bytes [in_flight] are delivered. *)

val bytes_per_second : t -> int
(** [bytes_per_second t] is the sample as a rate, 0 if there is none. *)
