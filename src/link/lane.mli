(** One direction of an impaired link: frames enter, and those that are not dropped leave when they
    are due. The seed and the number of earlier frames determine which frames are impaired. Each
    impairment has its own random generator, so that enabling one does not change the pattern of the
    others. *)

type counters = {
  mutable entered : int;
  mutable lost : int;
  mutable duplicated : int;  (** copies made *)
  mutable corrupted : int;
  mutable truncated : int;
  mutable reordered : int;
  mutable overflowed : int;  (** dropped because [queue_bytes] or [held_frames] was reached *)
  mutable cut : int;  (** dropped while the lane was down, or held when it went down *)
  mutable left : int;
}
(** At any time [entered + duplicated = left + lost + overflowed + cut + held]. *)

val dropped : counters -> int
(** [dropped c] is [lost + overflowed + cut]. *)

val pp_counters : Format.formatter -> counters -> unit

type t

val create : seed:int array -> Impairment.t -> t
(** @raise Invalid_argument if {!Impairment.check} finds an error. *)

val set : t -> Impairment.t -> unit
(** [set t i] applies [i] to the frames that enter from now on.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

(** What happened to a frame as it entered. *)
type fate =
  | Sent
  | Lost
  | No_room  (** it, or a copy of it *)
  | Cut  (** the lane is down *)
  | Twice
  | Corrupted
  | Truncated
  | Late  (** reordered: it arrives after later frames *)

val enter : ?shared:Bottleneck.t -> t -> now:Weir_base.Time.t -> Frame.t -> fate
(** [enter t ~now f] takes ownership of [f]. [now] must not decrease. A corrupted frame becomes
    {!Frame.Unverified}. Behind the lane's own queue, [f] waits in [shared], and then travels. *)

val next : t -> now:Weir_base.Time.t -> Frame.t
(** [next t ~now] is the next frame that is due, now owned by the caller, or {!Frame.none}. Frames
    due at the same time leave in the order they entered. *)

val deadline : t -> Weir_base.Time.t
(** [deadline t] is when {!next} will have a frame, or [Time.never]. *)

val backlog : t -> now:Weir_base.Time.t -> Weir_base.Time.t
(** [backlog t ~now] is how long a frame that enters now waits until its transmission begins. *)

val held : t -> int
(** [held t] is the number of frames in transit. *)

val counters : t -> counters

val set_up : t -> bool -> unit
(** [set_up t false] drops all held and new frames until [set_up t true]. *)
