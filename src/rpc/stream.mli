(** The streams of one call, as one side has them: what has come and was not taken, and how much may
    be sent; without input or output. The peer is held to the credit that it was given, so that no
    more than one window's bytes are ever kept. *)

type t

val overhead : int
(** 32: what a message costs besides its bytes, so that empty ones are bounded too. *)

val create :
  outbox:Outbox.t ->
  id:int ->
  window:int ->
  peer_window:int ->
  peer_message:int ->
  sends:bool ->
  receives:bool ->
  t
(** [create ~outbox ~id ~window ~peer_window ~peer_message ~sends ~receives]: [window] is what this
    side's hello gives, [peer_window] and [peer_message] the peer's. *)

(** {1 What the peer says}

    An error is its violation. *)

val item : t -> Weir_flow.Slice.t -> (unit, string) result
val ended : t -> (unit, string) result
val credit : t -> int -> (unit, string) result

val needs_peer : t -> bool
(** [needs_peer t] is whether the call may wait for something that the peer has to say: a message,
    the stream's end, or credit. *)

val close : t -> unit
(** [close t]: the call is answered, or its connection over. What came can still be taken. *)

val drop : t -> unit
(** [drop t]: the call is given up. What came and comes is forgotten, and nothing is sent. *)

(** {1 What this side does}

    The driver has the outbox sent afterwards, and sends when that has {!Outbox.room}. *)

type next =
  | Message of string
  | End  (** nothing comes any more *)
  | Given_up  (** {!drop}: this is not the stream's end *)
  | Nothing_yet

val next : t -> next
(** [next t] takes the next message, and gives the peer credit from time to time. *)

val discard : t -> unit
(** [discard t]: what comes from now on is taken, and forgotten: the peer is not made to wait. *)

val ready : t -> bool
(** [ready t] is whether [next t] is not [Nothing_yet]. *)

type sent =
  | Sent
  | Wait  (** for credit *)
  | Over  (** the peer takes no more: the call is answered, or over *)
  | Too_long of int  (** it is more than this many bytes, which the peer takes at most *)

val can_send : t -> int -> sent
(** [can_send t len] is what {!send} of a message of [len] bytes would be. *)

val send : t -> string -> sent

val finish : t -> unit
(** [finish t] ends the client's stream. Idempotent; nothing if the call is over. *)
