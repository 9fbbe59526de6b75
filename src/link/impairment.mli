(** What a bad network does to frames that travel one way. *)

type loss =
  | Steady of float  (** each frame is lost with this probability *)
  | Bursts of { enter : float; leave : float; good : float; bad : float }
      (** the Gilbert-Elliott model: two states, of which [good] and [bad] are the probabilities of
          loss; before each frame the good state is left with probability [enter] and the bad one
          with [leave]. A burst lasts [1 / leave] frames on average. *)

type t = {
  loss : loss;
  duplicate : float;  (** probability that a frame comes twice *)
  corrupt : float;  (** probability that one of its bits is flipped *)
  truncate : float;  (** probability that it is cut to a random shorter length, of 1 byte or more *)
  reorder : float;  (** probability that it leaves its place in the order *)
  reorder_ns : Weir_base.Time.t;
      (** how much later than otherwise such a frame arrives; if negative, earlier: it jumps ahead
          of those that the delay holds, to no delay at all at most *)
  delay_ns : Weir_base.Time.t;  (** how long every frame travels *)
  jitter_ns : Weir_base.Time.t;
      (** at most this much is added, at random; frames wait for those before them, so that jitter
          alone does not reorder *)
  rate_bps : int;
      (** how many bits a second get through (frames as they are here, without preamble or gap), or
          {!unlimited}; frames wait for their turn before they travel *)
  queue_bytes : int;
      (** how many bytes may wait for their turn, the frame under way included; what comes when
          there is no room is dropped, but an idle link takes any frame *)
  held_frames : int;  (** how many frames may wait and travel at a time; more are dropped *)
}

val unlimited : int

val none : t
(** [none] does nothing: every probability and time is 0, [rate_bps] is {!unlimited}. Its
    [queue_bytes] are 256 KiB and its [held_frames] 65,536. *)

val check : t -> (unit, string) result
(** [check t] tells in a sentence which field makes no sense: a probability outside 0 to 1, a
    negative time, a rate or bound below 1. *)

val of_string : string -> (t, string) result
(** [of_string s] reads what {!pp} prints: parts in any order with a comma between, such as
    ["loss=2%,delay=20ms,jitter=1ms,rate=100mbit,queue=64kB"]; ["none"] and [""] are {!none}. The
    parts are [loss], [duplicate], [corrupt], [truncate] ([2%] or [0.02]); [bursts=ENTER:LEAVE] and
    [bursts=ENTER:LEAVE:GOOD:BAD] (0 and 1 if not given); [reorder=P:TIME] with a TIME that may be
    negative; [delay], [jitter] ([ns], [us], [ms], [s]); [rate] ([bit], [kbit], [mbit], [gbit]);
    [queue] ([B], [kB], [MB]); [held]. The error is a sentence that names the part. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints what differs from {!none}, exactly: reading it back gives the same. *)
