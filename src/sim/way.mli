(** One direction of a cable: frames enter at one end and leave at the other when they are due. *)

open Weir_link

type t

val create : Scheduler.t -> seed:int array -> Impairment.t -> (Frame.t -> unit) -> t
(** [create s ~seed i out] gives each frame that arrives to [out], which then owns it.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

val send : t -> Frame.t -> Lane.fate
(** [send t f] takes ownership of [f]. *)

val backlog : t -> Weir_base.Time.t
(** [backlog t] is how long a frame that enters now waits until its transmission begins. *)

val set : t -> Impairment.t -> unit
(** [set t i] applies to frames that enter from now on.
    @raise Invalid_argument if {!Impairment.check} finds an error. *)

val set_up : t -> bool -> unit
(** [set_up t false] drops frames in transit and all that enter, until [set_up t true]. *)

val counters : t -> Lane.counters
