(** Congestion control: how much a connection may have in flight.

    An {!algorithm} decides how the window grows and how far a loss lowers it. {!Cubic} and {!Reno}
    are built in; a program may add its own ({!Config.congestion}). This module holds what all
    algorithms share: the window and its bounds, the threshold, the test whether the window limits
    the flow, and the values that an undone recovery restores. {!Sack_recovery} or {!Newreno}
    detects losses. {!Prr} sets the window during recovery, unless the algorithm has its
    [own_recovery]. Windows are bytes, times nanoseconds. *)

open Weir_base

type t
(** The congestion control state of one connection. *)

(** {1 Algorithms} *)

type ack = private {
  mutable now : Time.t;
  mutable acked : int;  (** bytes newly acknowledged, by SACK too *)
  mutable in_flight : int;  (** bytes in flight after this ACK *)
  mutable limited : bool;  (** the congestion window limited the flow, not the sender or the peer *)
  mutable rtt : int;  (** round trip measured by this ACK, -1 if none *)
  mutable srtt : int;  (** -1 if unknown *)
  mutable snd_una : Seq.t;
  mutable snd_nxt : Seq.t;
  mutable sack : bool;  (** the peer reports what arrived beyond a gap *)
  rate : Delivery_rate.t;  (** delivery rate samples; updated if [rate_samples] is set *)
}
(** One ACK. The connection reuses the record for the next ACK. *)

type event =
  | Loss_episode
      (** a loss is assumed. The algorithm saves the state that {!Undone} restores; [threshold] is
          called next, unless the window was lowered for a mark within this round trip. *)
  | Marked
      (** the peer echoed that a router marked a packet (RFC 3168). [threshold] was called, and the
          window is at most the threshold, unless [own_recovery]. *)
  | Timed_out
      (** the retransmission timer expired: the window is one segment, unless [own_recovery] *)
  | Recovered  (** all data sent before the loss was detected have arrived *)
  | Undone  (** there was no loss: the window is at least its value before {!Loss_episode} *)
  | Idle  (** data are sent after the connection was idle for an RTO (RFC 5681 §4.1) *)
  | Restart
      (** data are sent while nothing is in flight. Only algorithms with their [own_recovery] are
          told. *)

type 's behaviour = {
  name : string;  (** the name, as for TCP_CONGESTION *)
  rate_samples : bool;
      (** measure delivery rates; this stores some extra words for each segment in flight *)
  own_recovery : bool;
      (** If true, the algorithm also sets the window during recoveries and after timeouts: [on_ack]
          is called for each ACK that reports newly arrived data. If false, {!Prr} moves the window
          to the threshold, and [on_ack] is called only outside fast recovery, for ACKs that advance
          SND.UNA. *)
  initial_window : mss:int -> int;
  start : t -> 's;
      (** a connection starts to use the algorithm. It may already have sent data; its segment size
          may still be unknown. *)
  on_ack : 's -> t -> ack -> unit;
  on_lost : 's -> t -> unit;
      (** a segment was marked lost; {!rate} has its data. It is called before the [on_ack] of the
          ACK that showed it, and only if [rate_samples] is set. *)
  threshold : 's -> t -> flight:int -> window:int -> int;
      (** the threshold after a loss, given bytes in flight and window; a result below two segments
          is raised to two *)
  on_event : 's -> t -> event -> unit;
  pacing_rate : 's -> t -> int;
      (** bytes per second; 0 for no limit but the window. {!window_rate} is the usual one. It is
          asked for after each ACK. *)
}
(** An algorithm whose state for a connection is ['s]. Its functions change the window and the
    threshold by {!set_window} and {!set_ssthresh}. *)

type algorithm = Algorithm : 's behaviour -> algorithm [@@unboxed]

val name : algorithm -> string

val prefer : algorithm -> algorithm list -> algorithm list
(** [prefer a l] is [l] with [a] first, which is the default of a host's connections. *)

val named : string -> algorithm list -> algorithm option
(** [named n list] is the first of that name. *)

val standard_initial_window : mss:int -> int
(** Ten segments, at most 14,600 bytes or two segments (RFC 6928). *)

(** {1 State of a connection} *)

val create : ?rate:Delivery_rate.t -> ?seed:int -> algorithm -> mss:int -> t
(** [create a ~mss] starts with [a]'s initial window. [rate] measures the connection's delivery
    rate. [seed], 0 by default, is what {!random} begins from. *)

val rate : t -> Delivery_rate.t

val last_ack : t -> ack
(** [last_ack t] is the latest ACK that the algorithm was told of. At {!Restart} its [now] is that
    moment. *)

val random : t -> int -> int
(** [random t n] is a number from 0 to [n - 1], by the connection's own generator. It is not for
    secrets. *)

val initial_window : t -> int
(** [initial_window t] is the algorithm's, within the bounds of {!set_window}. *)

val mss : t -> int

val set_mss : t -> int -> unit
(** [set_mss t mss] restarts from the initial window with the negotiated segment size. *)

val change_mss : t -> int -> unit
(** [change_mss t mss] changes the segment size in the middle of a connection. The window stays, in
    bytes, but is at least one segment. *)

val set_sack : t -> bool -> unit
(** [set_sack t on] says whether the peer permits SACK; [t] assumes so. *)

val algorithm : t -> algorithm

val choose : t -> algorithm -> unit
(** [choose t a] changes the algorithm and keeps the window. It does nothing if [t] already uses
    [a]. *)

val wants_rate : t -> bool
val own_recovery : t -> bool

val window : t -> int
(** [window t] is cwnd. *)

val ssthresh : t -> int
(** [ssthresh t] is [max_int] before any loss. *)

val pacing_rate : t -> srtt:int -> flight:int -> int
(** [pacing_rate t ~srtt ~flight] is the algorithm's rate in bytes per second, 0 if it has none.
    [flight] is FlightSize after the current ACK. *)

val least_paced : Time.t
(** The shortest round trip at which a window is paced, 2 ms: a burst of a millisecond is most of a
    window of a shorter one. *)

val window_rate : t -> int
(** [window_rate t] is the window, or FlightSize if that is larger, in half a round trip while the
    window is below half the threshold, later 1.2 windows a round trip. It is 0 if the round trip is
    unknown or below {!least_paced}, and for windows of ten segments, which may leave as one burst
    (RFC 6928). *)

val set_window : t -> int -> unit
(** [set_window t w] sets the window to [w], at least one segment and at most 1 GB. *)

val set_ssthresh : t -> int -> unit
(** [set_ssthresh t w] is for an algorithm that ends slow start without a loss. *)

val is_used : t -> flight:int -> snd_una:Seq.t -> snd_max:Seq.t -> bool
(** [is_used t ~flight ~snd_una ~snd_max] is true if the window limits the flow (RFC 2861, RFC 7661
    §4): [flight], the bytes in flight when the current ACK arrived, was within two segments of the
    window, or the ACK is for data sent while that was true. [snd_una] is its value after the ACK.
*)

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
(** [on_ack t …] passes an {!ack} to the algorithm. *)

val reduce : t -> flight:int -> unit
(** [reduce t ~flight] lowers the threshold at the first sign of a loss, as the algorithm decides.
    [flight] is FlightSize at that moment: bytes sent and not cumulatively acknowledged (RFC 5681
    equation 4). The part of it above the window does not count. *)

val reduce_again : t -> window:int -> unit
(** [reduce_again t ~window] lowers the threshold again during a recovery, computed from the current
    [window]. FlightSize cannot be used then, because it includes selectively acknowledged data. *)

val pace : t -> int -> unit
(** [pace t w] is {!set_window} for {!Prr} and the other rules of recovery. It does nothing if the
    algorithm has its [own_recovery]. *)

val remember : t -> unit
(** [remember t] saves window and threshold for {!undo}, before a recovery begins. *)

val undo : t -> unit
(** [undo t] restores the values that {!remember} saved, where they are above the current ones (RFC
    4015 §3.2). *)

val settle : t -> unit
(** [settle t] is [pace t (ssthresh t)]. *)

val recovered : t -> unit
(** [recovered t] tells the algorithm that a recovery is over. *)

val on_mark : t -> flight:int -> unit
(** [on_mark t ~flight] lowers threshold and window for an echoed mark (RFC 3168 §6.1.2, RFC 9438
    §4.6). *)

val on_timeout : t -> flight:int -> first:bool -> unit
(** [on_timeout t ~flight ~first] sets the window to one segment. Only the [first] timeout of a
    segment lowers the threshold. *)

val after_lost_syn : t -> unit
(** [after_lost_syn t] sets the window to one segment, because the SYN was lost (RFC 5681 §3.1). *)

val on_restart : t -> now:Time.t -> unit
(** [on_restart t ~now] is called before data are sent while nothing is in flight. *)

val on_idle : t -> unit
(** [on_idle t] restarts from at most the initial window after an idle RTO (RFC 5681 §4.1). *)
