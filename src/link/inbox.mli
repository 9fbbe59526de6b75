(** Where frames wait for a receiver in memory: a bounded first-in first-out queue and the wakeup of
    whoever empties it. Pushing and popping do not allocate once the queue has grown.

    Any domain may push and wake at any time; {!pop} and {!close} are the receiver's, one call at a
    time. *)

type t

val create : capacity:int -> t
(** [create ~capacity] holds at most [capacity] frames.
    @raise Invalid_argument if [capacity < 1]. *)

val length : t -> int

val push : t -> Frame.t -> bool
(** [push t f] puts [f] at the end and is [true]; or is [false] if [t] is full or closed, and [f]
    stays the caller's. *)

val pop : t -> Frame.t
(** [pop t] is the oldest frame, now the caller's, or {!Frame.none}. *)

val wakeup_due : t -> bool
(** [wakeup_due t] says that [t] has turned from empty to non-empty since the last {!wake}. *)

val wake : t -> unit
(** [wake t] calls the receiver's function if a wakeup is due and a frame still waits. *)

val nudge : t -> unit
(** [nudge t] calls the receiver's function though no frame came, while [t] is open. *)

val readiness : t -> Link.readiness

val close : t -> unit
(** [close t] releases the frames and takes no more. Idempotent. *)

val is_open : t -> bool
