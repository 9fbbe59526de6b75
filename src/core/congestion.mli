(** The congestion window: slow start by RFC 5681 with byte counting, left early by {!Hystart};
    congestion avoidance by RFC 5681 or {!Cubic}; an initial window by RFC 6928. Which segment is
    lost is {!Sack_recovery}'s business, or {!Newreno}'s, and the window's pace in a recovery
    {!Prr}'s. *)

type t

val create : algorithm:Config.congestion -> mss:int -> t
(** [create ~mss] has an initial window of ten segments, at most 14,600 bytes or two segments. *)

val set_mss : t -> int -> unit
(** [set_mss t mss] starts again with the negotiated segment size. *)

val algorithm : t -> Config.congestion

val choose : t -> Config.congestion -> unit
(** [choose t a] goes on by another algorithm, from the window as it is. *)

val window : t -> int
(** [window t] is cwnd in bytes. *)

val ssthresh : t -> int
(** [ssthresh t] is in bytes, [max_int] before any loss. *)

val is_used : t -> flight:int -> snd_una:Seq.t -> snd_max:Seq.t -> bool
(** [is_used t ~flight ~snd_una ~snd_max]: the window is what limits the flow (RFC 2861, RFC 7661
    §4): [flight], what the ACK at hand found in flight, fills it up to two segments, or it
    acknowledges what was in flight when that was so. [snd_una] is after the ACK. *)

val on_ack :
  t ->
  now:Weir_base.Time.t ->
  srtt:int ->
  rtt:int ->
  snd_una:Seq.t ->
  snd_nxt:Seq.t ->
  acked:int ->
  limited:bool ->
  unit
(** [on_ack t …] grows the window after [acked] new bytes were acknowledged outside recovery; not at
    all if the flow was not [limited] by it. [srtt] and [rtt], what this ACK measured, are -1 if
    unknown. *)

val reduce : t -> flight:int -> unit
(** [reduce t ~flight] lowers the threshold at the first sign of a loss: to half of FlightSize (RFC
    5681 equation 4), or 0.7 of it for CUBIC (RFC 9438 §4.6). [flight] is what was sent and not
    cumulatively acknowledged when the sign came; what of it exceeds the window is left out. *)

val reduce_again : t -> window:int -> unit
(** [reduce_again t ~window] lowers it once more during a recovery, from the [window] in use then:
    FlightSize, with all that was selectively acknowledged, says nothing of that. *)

val set_window : t -> int -> unit
(** [set_window t w] makes the window [w] bytes, at least a segment: {!Prr}'s word during recovery.
*)

val remember : t -> unit
(** [remember t] keeps window and threshold, should a recovery that begins now prove needless. *)

val undo : t -> unit
(** [undo t] brings back what {!remember} kept, unless there is more now (RFC 4015 §3.2). *)

val on_timeout : t -> flight:int -> first:bool -> unit
(** [on_timeout t ~flight ~first] falls to one segment; only the [first] timeout of a segment lowers
    the threshold. *)

val after_lost_syn : t -> unit
(** [after_lost_syn t] begins with one segment (RFC 5681 §3.1). *)

val on_idle : t -> unit
(** [on_idle t] restarts from at most the initial window after an idle RTO (RFC 5681 §4.1). *)
