(** The impairments of one direction of a link. *)

type loss =
  | Steady of float  (** each frame is lost with this probability *)
  | Bursts of { enter : float; leave : float; good : float; bad : float }
      (** the Gilbert-Elliott model. It has a good and a bad state; [good] and [bad] are their
          probabilities of loss. Before each frame, the good state changes to bad with probability
          [enter], and the bad to good with [leave]. A burst lasts [1 / leave] frames on average. *)

type t = {
  loss : loss;
  duplicate : float;  (** probability that a frame is delivered twice *)
  corrupt : float;  (** probability that one bit of a frame is flipped *)
  truncate : float;
      (** probability that a frame is cut to a random shorter length of at least 1 byte *)
  reorder : float;  (** probability that a frame is reordered *)
  reorder_ns : Weir_base.Time.t;
      (** extra delay of a reordered frame. If negative, the frame arrives earlier, ahead of frames
          that [delay_ns] holds; its delay is never below 0. *)
  delay_ns : Weir_base.Time.t;  (** the delay of every frame *)
  jitter_ns : Weir_base.Time.t;
      (** maximum random extra delay; jitter alone does not reorder: a frame waits for those before
          it *)
  rate_bps : int;
      (** bits per second, or {!unlimited}; counted without preamble and interframe gap. Frames
          queue for transmission before the delay starts. *)
  queue_bytes : int;
      (** bound on the bytes queued for transmission, including the frame in transmission. A frame
          that does not fit is dropped, but an idle link accepts any frame. *)
  held_frames : int;  (** bound on the frames queued or in transit; more are dropped *)
}

val unlimited : int

val none : t
(** [none] has no effect: every probability and time is 0, [rate_bps] is {!unlimited}. Its
    [queue_bytes] are 256 KiB and its [held_frames] 65,536. *)

val check : t -> (unit, string) result
(** [check t] is an error that names the invalid field: a probability outside 0 to 1, a negative
    time, a rate or bound below 1. *)

val of_string : string -> (t, string) result
(** [of_string s] parses the format of {!pp}: parts in any order, separated by commas, such as
    ["loss=2%,delay=20ms,jitter=1ms,rate=100mbit,queue=64kB"]; ["none"] and [""] are {!none}. The
    parts are [loss], [duplicate], [corrupt], [truncate] ([2%] or [0.02]); [bursts=ENTER:LEAVE] and
    [bursts=ENTER:LEAVE:GOOD:BAD] (GOOD and BAD are 0 and 1 by default); [reorder=P:TIME], where
    TIME may be negative; [delay], [jitter] ([ns], [us], [ms], [s]); [rate] ([bit], [kbit], [mbit],
    [gbit]); [queue] ([B], [kB], [MB]); [held]. The error is a sentence that names the part. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints the fields that differ from {!none}. The output is exact: {!of_string} gives the
    same value. *)
