(** Where frames wait for a receiver in memory: a bounded first-in first-out queue and the wakeup of
    whoever empties it. Pushing and popping do not allocate once the queue has grown.

    Sender and receiver may be of different domains: {!push} and {!hand_over} are the sender's,
    {!pop} and {!close} the receiver's, one call at a time on either side. *)

type t

val create : capacity:int -> t
(** [create ~capacity] holds at most [capacity] frames.
    @raise Invalid_argument if [capacity < 1]. *)

val length : t -> int

val push : t -> Frame.t -> bool
(** [push t f] puts [f] at the end and is [true]; or is [false] if [t] is full or closed, and [f]
    stays the caller's. The receiver gets it after the next {!hand_over}. *)

val hand_over : t -> bool
(** [hand_over t] gives what was pushed to the receiver; [true] if the receiver is to be told. *)

val wake : t -> unit
(** [wake t] does {!hand_over}, and {!nudge} if it must. *)

val pop : t -> Frame.t
(** [pop t] is the oldest frame that was handed over, now the caller's, or {!Frame.none}. *)

val nudge : t -> unit
(** [nudge t] calls the receiver's function, while [t] is open. *)

val readiness : t -> Link.readiness

val close : t -> unit
(** [close t] releases the frames and takes no more. Idempotent. *)

val is_open : t -> bool
