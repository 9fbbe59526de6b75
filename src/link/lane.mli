(** One direction of an impaired link: frames enter, and leave when their time has come, those that
    do. Which frames are hit is a function of the seed and of how many came before; each impairment
    draws from its own generator, so that switching one on leaves the others' pattern as it was. *)

type counters = {
  mutable entered : int;
  mutable lost : int;
  mutable duplicated : int;  (** copies made *)
  mutable corrupted : int;
  mutable truncated : int;
  mutable reordered : int;
  mutable overflowed : int;  (** dropped because the queue, or all that may be held, was full *)
  mutable cut : int;  (** dropped because the lane was down, or held when it went down *)
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
(** [set t i] applies to the frames that enter from now on.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

val enter : t -> now:Weir_base.Time.t -> Frame.t -> unit
(** [enter t ~now f] takes ownership of [f]. [now] must not go back. A frame whose bits are changed
    is {!Frame.Unverified}. *)

val next : t -> now:Weir_base.Time.t -> Frame.t
(** [next t ~now] is a frame that has arrived, now the caller's, or {!Frame.none}. Frames that
    arrive at the same time come in the order they entered. *)

val deadline : t -> Weir_base.Time.t
(** [deadline t] is when {!next} will have a frame, or [Time.never]. *)

val held : t -> int
(** [held t] is how many frames are on their way. *)

val counters : t -> counters

val set_up : t -> bool -> unit
(** [set_up t false] drops what is held and all that enters, until [set_up t true]. *)
