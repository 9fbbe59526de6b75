(** The callers of one {!Caller}, without input or output. They queue until the server's limit and
    the outbox allow another call, send it, and wait for an answer. *)

type t

val create : Limits.t -> Caller.t -> t

val room : t -> Turns.t
(** [room t] is the {!Outbox.room} that callers share with streams. *)

type place
(** The place of one caller in the queue. *)

val place : t -> place
(** [place t] is a new place at the end of the queue. *)

val enter : t -> place -> (unit -> unit) -> unit
(** [enter t p on_turn] queues [p]. [on_turn] is called once, perhaps at once, when [p] may call
    {!send}. *)

val try_turn : t -> place -> bool
(** [try_turn t p] is whether [p] may {!send} now; if not, [t] is unchanged. *)

type sent =
  | Sent
  | Not_yet  (** another caller took the permit: call {!enter} again, which keeps the place *)
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
(** [send t p ~timeout_us name write on_answer] is {!Caller.call}, once [p] may send. [on_answer] is
    not called after {!give_up}. If [write] raises, [p] leaves the queue.
    @raise Weir_message.Output.Too_long as {!Caller.call}. *)

val stream : place -> Stream.t option
(** [stream p] is {!Caller.stream} of [p] after [Sent], even if the call has been answered. *)

val give_up : t -> place -> unit
(** [give_up t p] removes [p] from the queue, or passes its permit on, or cancels its call. No
    effect if the call has been answered. *)

val advance : t -> unit
(** [advance t] lets queued callers send. Call it after input to the {!Caller}, after it was stopped
    or closed, and after its outbox was taken. *)
