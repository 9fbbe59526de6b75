(** A bounded first-in first-out queue of frames, with notification of the receiver. Pushing and
    popping do not allocate once the queue has grown.

    Sender and receiver may be in different domains. The sender calls {!push} and {!hand_over}; the
    receiver calls {!pop} and {!close}. Each side makes one call at a time. *)

type t

val create : capacity:int -> t
(** [create ~capacity] holds at most [capacity] frames.
    @raise Invalid_argument if [capacity < 1]. *)

val length : t -> int

val push : t -> Frame.t -> bool
(** [push t f] appends [f]. It is [false] if [t] is full or closed; the caller then keeps [f]. The
    receiver gets [f] after the next {!hand_over}. *)

val hand_over : t -> bool
(** [hand_over t] passes the pushed frames to the receiver. It is [true] if the receiver must be
    notified with {!nudge}. *)

val wake : t -> unit
(** [wake t] calls {!hand_over}, and {!nudge} if that is [true]. *)

val pop : t -> Frame.t
(** [pop t] is the oldest frame handed over, now owned by the caller, or {!Frame.none}. *)

val nudge : t -> unit
(** [nudge t] calls the receiver's notification function if [t] is open. *)

val readiness : t -> Link.readiness

val close : t -> unit
(** [close t] releases all frames; later pushes fail. Idempotent. *)

val is_open : t -> bool
