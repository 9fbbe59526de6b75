(** How fast the network delivers: the estimator of draft-cheng-iccrg-delivery-rate-estimation-02.
    Each segment carries away, when it is sent, what had been delivered until then; when it is
    delivered itself, the bytes delivered in between, over the time that passed, are a sample. The
    stamps of segments are {!Scoreboard}'s, the calls {!Scoreboard}'s and {!Recovery}'s; an
    algorithm reads. Sizes are bytes, times nanoseconds. *)

open Weir_base

type t = private {
  (* The connection's. *)
  mutable delivered : int;  (** C.delivered: in all, each byte once *)
  mutable delivered_at : Time.t;  (** C.delivered_time: when the last of them was told of *)
  mutable first_sent_at : Time.t;
      (** C.first_sent_time: when the segment was sent that was delivered last, which begins the
          flight now measured *)
  mutable app_limited_upto : int;
      (** C.app_limited: once so much is delivered, samples are of the network again; 0 if they are
      *)
  (* The sample of the ACK at hand. *)
  mutable newest_sent_at : Time.t;
      (** of the segment sampled: the one delivered that was sent last *)
  mutable prior_delivered : int;  (** rs.prior_delivered: {!delivered} when it was sent *)
  mutable prior_at : Time.t;  (** rs.prior_time: {!delivered_at} then; below 0: no sample *)
  mutable send_elapsed : int;  (** rs.send_elapsed *)
  mutable ack_elapsed : int;  (** rs.ack_elapsed *)
  mutable app_limited : bool;  (** rs.is_app_limited: the rate is at least that of the sender *)
  mutable sample : int;  (** rs.delivered: bytes delivered in [interval]; 0 if there is no sample *)
  mutable interval : int;  (** rs.interval *)
}

val create : unit -> t

val restart : t -> now:Time.t -> unit
(** [restart t ~now]: something is sent while nothing is in flight (§3.2). *)

val begin_ack : t -> unit
(** [begin_ack t]: an ACK came; there is no sample yet. *)

val counts : t -> now:Time.t -> int -> unit
(** [counts t ~now n]: [n] bytes were delivered of which it is not known when they were sent. *)

val corrects : t -> int -> unit
(** [corrects t n]: what was counted was another segment, longer by [n] bytes. *)

val stamp : t -> int array -> int -> unit
(** [stamp t a i] writes what a segment carries that is sent now, four integers from [a.(i)] on
    (§3.2). *)

val no_stamp : int array -> int -> unit
(** [no_stamp a i]: the segment went before anybody counted. *)

val delivers : t -> int array -> int -> now:Time.t -> bytes:int -> sent_at:Time.t -> unit
(** [delivers t a i ~now ~bytes ~sent_at]: a segment of [bytes] with the stamp at [a.(i)] was
    delivered, which was last sent at [sent_at], a time of its own (§3.3, UpdateRateSample). *)

val end_ack : t -> min_rtt:int -> unit
(** [end_ack t ~min_rtt] completes the sample (§3.3, GenerateRateSample): over the longer of the
    times that the flight took to be sent and to be acknowledged, so that neither ACKs that come at
    once nor data sent at once seem faster than the path. There is none if that is shorter than
    [min_rtt] ([max_int] if unknown) or 0. *)

val limit_by_app : t -> in_flight:int -> unit
(** [limit_by_app t ~in_flight]: the sender has nothing to send though it might (§3.4): samples
    until all that is [in_flight] is delivered are marked. *)

val bytes_per_second : t -> int
(** [bytes_per_second t] is the sample as a rate, 0 if there is none. *)
