(** The streams of one call, for one side: the messages received and not taken, and the credit to
    send. No input or output. The peer may only use the credit that it was given, so at most one
    window of bytes is kept. *)

type t

val overhead : int
(** 32: the cost of a message besides its bytes, which bounds empty messages too. *)

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

(** {1 Packets of the peer}

    An error is a violation by the peer. *)

val item : t -> Weir_flow.Slice.t -> (unit, string) result
val ended : t -> (unit, string) result
val credit : t -> int -> (unit, string) result

val needs_peer : t -> bool
(** [needs_peer t] is whether the call may still wait for a packet of the peer: a message, the
    stream's end, or credit. *)

val close : t -> unit
(** [close t] says that the call is answered or its connection over. Received messages can still be
    taken. *)

val drop : t -> unit
(** [drop t] gives up the call: messages received now or later are dropped, and nothing is sent. *)

(** {1 Actions of this side}

    The driver sends the outbox afterwards. It calls {!send} with {!Outbox.room}. *)

type next =
  | Message of string
  | End  (** no message will follow *)
  | Given_up  (** after {!drop}: the stream has not ended in order *)
  | Nothing_yet

val next : t -> next
(** [next t] takes the next message, and gives the peer credit from time to time. *)

val discard : t -> unit
(** [discard t] drops all messages from now on, so that the peer need not wait for credit. *)

val ready : t -> bool
(** [ready t] is whether [next t] is not [Nothing_yet]. *)

type sent =
  | Sent
  | Wait  (** for credit *)
  | Over  (** the peer takes no more messages: the call is answered or over *)
  | Too_long of int  (** the message is longer than this, the most that the peer takes *)

val can_send : t -> int -> sent
(** [can_send t len] is the result that {!send} of a message of [len] bytes would have. *)

val send : t -> string -> sent

val finish : t -> unit
(** [finish t] ends the client's stream. Idempotent; it does nothing if the call is over. *)
