(** Congestion control: how much a connection may have in flight. An {!algorithm} decides how the
    window grows and how far a loss lowers it; {!Cubic} and {!Reno} are two, and a program may bring
    its own ({!Config.congestion}). What is the same for all stands here: the window and its bounds,
    the threshold, whether the window was used, what an undone recovery brings back. Which segment
    is lost is {!Sack_recovery}'s business, or {!Newreno}'s, and the window's pace in a recovery
    {!Prr}'s, unless the algorithm says that it is its own. A connection runs its algorithm and no
    other. Windows are bytes, times nanoseconds. *)

open Weir_base

type t
(** A connection's. *)

(** {1 Algorithms} *)

type ack = private {
  mutable now : Time.t;
  mutable acked : int;  (** bytes of which it is the first to tell that they have arrived *)
  mutable in_flight : int;  (** what is in flight after it *)
  mutable limited : bool;  (** the window, and not the sender or the peer, bounded the flight *)
  mutable rtt : int;  (** what it measured, -1 if nothing *)
  mutable srtt : int;  (** -1 if unknown *)
  mutable snd_una : Seq.t;
  mutable snd_nxt : Seq.t;
  rate : Delivery_rate.t;  (** counted if [rate_samples]; what was delivered in which time *)
}
(** What an ACK tells. The record is the connection's own and is filled again by the next ACK. *)

type event =
  | Loss_episode
      (** a loss is assumed: what {!Undone} brings back is to be kept; the threshold is asked next
      *)
  | Timed_out  (** by the retransmission timer: the window is one segment, unless [own_recovery] *)
  | Recovered  (** all that was sent before the loss has arrived *)
  | Undone  (** there was no loss: the window is what it was before {!Loss_episode}, or more *)
  | Idle  (** something is sent after an idle RTO (RFC 5681 §4.1) *)

type 's behaviour = {
  name : string;  (** as TCP_CONGESTION has it *)
  rate_samples : bool;
      (** delivery rates are wanted: each segment carries stamps for them, which cost some words *)
  own_recovery : bool;
      (** the window is the algorithm's own during recoveries and after timeouts too: [on_ack] comes
          for each ACK that tells of an arrival. Otherwise {!Prr} leads it to the threshold, and
          [on_ack] comes for ACKs that move SND.UNA outside fast recovery. *)
  initial_window : mss:int -> int;
  start : t -> 's;
      (** a connection begins to go by the algorithm; it may be on its way already, and its segment
          size need not be known yet *)
  on_ack : 's -> t -> ack -> unit;
  threshold : 's -> t -> flight:int -> window:int -> int;
      (** the threshold after a loss with so much in flight, under that window; at least two
          segments are made of it *)
  on_event : 's -> t -> event -> unit;
  pacing_rate : 's -> t -> int;
      (** bytes a second; 0: as fast as the window lets. Nothing obeys it yet. *)
}
(** An algorithm whose state for a connection is ['s]. Its functions change the window and the
    threshold by {!set_window} and {!set_ssthresh}. *)

type algorithm = Algorithm : 's behaviour -> algorithm [@@unboxed]

val name : algorithm -> string

val named : string -> algorithm list -> algorithm option
(** [named n list] is the first of that name. *)

val standard_initial_window : mss:int -> int
(** Ten segments, at most 14,600 bytes or two segments (RFC 6928). *)

(** {1 A connection's} *)

val create : ?rate:Delivery_rate.t -> algorithm -> mss:int -> t
(** [create a ~mss] has [a]'s initial window. [rate] is where the connection's deliveries are
    counted. *)

val mss : t -> int

val set_mss : t -> int -> unit
(** [set_mss t mss] starts again with the negotiated segment size. *)

val algorithm : t -> algorithm

val choose : t -> algorithm -> unit
(** [choose t a] goes on by another algorithm, from the window as it is; nothing if it is [t]'s. *)

val wants_rate : t -> bool
val own_recovery : t -> bool

val window : t -> int
(** [window t] is cwnd. *)

val ssthresh : t -> int
(** [ssthresh t] is [max_int] before any loss. *)

val pacing_rate : t -> int
(** [pacing_rate t] is the algorithm's: bytes a second, 0 if it has none. *)

val set_window : t -> int -> unit
(** [set_window t w] makes the window [w], at least a segment and at most 1 GB. *)

val set_ssthresh : t -> int -> unit
(** [set_ssthresh t w] is for an algorithm that ends slow start without a loss. *)

val is_used : t -> flight:int -> snd_una:Seq.t -> snd_max:Seq.t -> bool
(** [is_used t ~flight ~snd_una ~snd_max]: the window is what limits the flow (RFC 2861, RFC 7661
    §4): [flight], what the ACK at hand found in flight, fills it up to two segments, or it
    acknowledges what was in flight when that was so. [snd_una] is after the ACK. *)

val on_ack :
  t ->
  now:Time.t ->
  srtt:int ->
  rtt:int ->
  snd_una:Seq.t ->
  snd_nxt:Seq.t ->
  acked:int ->
  in_flight:int ->
  limited:bool ->
  unit
(** [on_ack t …] hands an {!ack} to the algorithm. *)

val reduce : t -> flight:int -> unit
(** [reduce t ~flight] lowers the threshold at the first sign of a loss, by the algorithm. [flight]
    is what was sent and not cumulatively acknowledged when the sign came (RFC 5681 equation 4);
    what of it exceeds the window is left out. *)

val reduce_again : t -> window:int -> unit
(** [reduce_again t ~window] lowers it once more during a recovery, from the [window] in use then:
    FlightSize, with all that was selectively acknowledged, says nothing of that. *)

val pace : t -> int -> unit
(** [pace t w] is {!set_window} as {!Prr} and the other rules of recovery say; nothing if the window
    is the algorithm's own in recoveries. *)

val remember : t -> unit
(** [remember t] keeps window and threshold, should a recovery that begins now prove needless. *)

val undo : t -> unit
(** [undo t] brings back what {!remember} kept, unless there is more now (RFC 4015 §3.2). *)

val settle : t -> unit
(** [settle t] is {!pace} to the threshold. *)

val recovered : t -> unit
(** [recovered t]: a recovery is over. *)

val on_timeout : t -> flight:int -> first:bool -> unit
(** [on_timeout t ~flight ~first] falls to one segment; only the [first] timeout of a segment lowers
    the threshold. *)

val after_lost_syn : t -> unit
(** [after_lost_syn t] begins with one segment (RFC 5681 §3.1). *)

val on_idle : t -> unit
(** [on_idle t] restarts from at most the initial window after an idle RTO (RFC 5681 §4.1). *)
