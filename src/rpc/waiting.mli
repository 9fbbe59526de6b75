(** The callers of one {!Caller}. They queue to send, until the server's limit and the outbox have
    room, and then wait for an answer. No input or output. *)

type t

val create : Limits.t -> Caller.t -> t

val room : t -> Turns.t
(** [room t] is the {!Outbox.room} that callers share with streams. *)

type place
(** The place of one caller in the queue. *)

val place : t -> place
(** [place t] is a new place, after all others. *)

val enter : t -> place -> (unit -> unit) -> unit
(** [enter t p on_turn] queues [p]. [on_turn] is called once, perhaps at once, when [p] is to call
    {!send}. *)

val try_turn : t -> place -> bool
(** [try_turn t p] is whether [p] may {!send} at once; if not, [t] is unchanged. *)

type sent =
  | Sent
  | Not_yet  (** another caller was faster: call {!enter} again, which keeps the place *)
  | Over of Error.ending

val send :
  t ->
  place ->
  ?shape:Method.shape ->
  timeout_us:int ->
  string ->
  (Weir_message.Output.t -> unit) ->
  (Caller.answer -> unit) ->
  sent
(** [send t p ~timeout_us name write on_answer] is {!Caller.call}, to be used once [p] may send.
    [on_answer] is not called after {!give_up}. If [write] raises, [p] has left the queue.
    @raise Weir_message.Output.Too_long as {!Caller.call}. *)

val stream : place -> Stream.t option
(** [stream p] is {!Caller.stream} of [p], once it was [Sent], even if the call has been answered.
*)

val give_up : t -> place -> unit
(** [give_up t p] leaves the queue, lets the next caller send, or cancels the call. It does nothing
    if the call has been answered. *)

val advance : t -> unit
(** [advance t] lets queued callers send. To be called after input to the {!Caller}, after it was
    stopped or closed, and after its outbox was emptied. *)
