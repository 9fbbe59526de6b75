(** The callers of one {!Caller}, who wait for a turn and for room before they may send, and then
    for an answer; without input or output. *)

type t

val create : Limits.t -> Caller.t -> t

val room : t -> Turns.t
(** [room t] is the {!Outbox.room} that callers share with streams. *)

type place
(** One caller's. *)

val place : t -> place
(** [place t] comes after those that there are. *)

val enter : t -> place -> (unit -> unit) -> unit
(** [enter t p on_turn] has [on_turn] called once, maybe at once: when [p] may {!send}, or learn
    that none may. *)

val try_turn : t -> place -> bool
(** [try_turn t p] is whether [p] has its turn at once; else [t] is as it was. *)

type sent =
  | Sent
  | Not_yet  (** others were faster: {!enter} again, which keeps the place *)
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
(** [send t p ~timeout_us name write on_answer], once [p]'s turn has come, is {!Caller.call};
    [on_answer] is not called after {!give_up}. If [write] raises [p] has left.
    @raise Weir_message.Output.Too_long as {!Caller.call}. *)

val stream : place -> Stream.t option
(** [stream p] is {!Caller.stream} of [p], once it was [Sent], also if it was answered since. *)

val give_up : t -> place -> unit
(** [give_up t p] leaves the line, or passes the turn on, or cancels the call. Nothing if it has
    been answered. *)

val advance : t -> unit
(** [advance t] gives turns to those who may have them. To be called when the {!Caller} has taken
    something in, was stopped or closed, or its outbox was emptied. *)
