(** The streams of one call, for one side, without input or output: the messages received and not
    taken, and the credit to send. The peer may send only what its credit allows, so at most one
    window of bytes is kept. *)

type t

val overhead : int
(** 32: bytes that a message counts besides its own, so that empty messages are bounded too. *)

val create :
  outbox:Outbox.t ->
  id:int ->
  window:int ->
  peer_window:int ->
  peer_message:int ->
  sends:bool ->
  receives:bool ->
  t
(** [create ~outbox ~id ~window ~peer_window ~peer_message ~sends ~receives]: [window] is from this
    side's hello, [peer_window] and [peer_message] are from the peer's. *)

(** {1 Packets of the peer}

    An error is a violation by the peer. *)

val item : t -> Weir_flow.Slice.t -> (unit, string) result
val ended : t -> (unit, string) result
val credit : t -> int -> (unit, string) result

val needs_peer : t -> bool
(** [needs_peer t] is whether the call may still need a packet of the peer: a message, the stream's
    end, or credit. *)

val close : t -> unit
(** [close t] says that the call is answered, or its connection over. Received messages can still be
    taken. *)

val drop : t -> unit
(** [drop t] cancels the call: its received and later messages are dropped, and nothing more is
    sent. *)

(** {1 Actions of this side}

    The driver sends the outbox afterwards. It calls {!send} with {!Outbox.room}. *)

type next =
  | Message of string
  | End  (** no message will follow *)
  | Given_up  (** after {!drop}: the stream did not end in order *)
  | Nothing_yet

val next : t -> next
(** [next t] takes the next message, and sends credit to the peer when enough was taken. *)

val discard : t -> unit
(** [discard t] drops all messages from now on, so that the peer need not wait for credit. *)

val ready : t -> bool
(** [ready t] is whether [next t] is not [Nothing_yet]. *)

type sent =
  | Sent
  | Wait  (** for credit *)
  | Over  (** no more messages can be sent: the call is answered or over *)
  | Too_long of int  (** the message is longer than this, the peer's limit *)

val can_send : t -> int -> sent
(** [can_send t len] is what {!send} would return for a message of [len] bytes. *)

val send : t -> string -> sent

val finish : t -> unit
(** [finish t] ends the client's stream. Idempotent; it does nothing if the call is over. *)
