(** Calls over one connection, concurrently from any fibers of one domain. *)

open Weir_rpc

type t

val create :
  sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create ~sw ~clock flow] is a client of the server behind [flow]. The client owns [flow] and
    closes it when the connection is over, if it is a {!Weir_flow.Flow.closable}; otherwise it shuts
    down its own direction if it can. Its fibers are daemons of [sw]. When [sw] ends, the client
    ends, and all calls fail.
    @raise Invalid_argument as {!Limits.check}. *)

val call :
  t -> ?timeout_ns:int -> ('request, 'response) Method.t -> 'request -> ('response, Error.t) result
(** [call t m request] waits until the server's limit allows another call, sends it and waits for
    the answer. Answers may arrive in any order.

    After [timeout_ns] (default: none), which includes the wait to send, the result is [Timed_out];
    the server learns the remaining time. A call that times out or is cancelled is cancelled at the
    server too. When the connection ends, all calls fail with [Closed]. Exceptions of encoding
    [request] pass. *)

(** {1 With streams}

    As {!call}; [timeout_ns] bounds the whole call. The given functions run in the caller's fiber,
    and messages wait for them, so that neither side holds more than the [window] of {!Limits.t}.
    Their exceptions pass, and cancel the call at the server. A message that is too long for the
    server's window ends the call with [Too_large], a message that cannot be decoded with
    [Undecodable]. *)

val download :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.download ->
  'request ->
  ('response -> unit) ->
  (unit, Error.t) result
(** [download t m request f] calls [f] on each response, in order. It is [Ok ()] if the server ended
    the stream in order. Before an error, [f] may have got some of the responses. *)

val upload :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.upload ->
  (('request -> bool) -> unit) ->
  ('response, Error.t) result
(** [upload t m f] calls [f send] and is the server's answer. [send v] waits until the server has
    space and sends [v]. It is false, and sends nothing, if the server has already answered or the
    connection is over. *)

type ('request, 'response) streams = {
  send : 'request -> bool;  (** as in {!upload} *)
  finish : unit -> unit;  (** ends the stream of requests; idempotent *)
  receive : unit -> 'response option;  (** waits; [None] at the end, also if the call fails *)
}

val exchange :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.exchange ->
  (('request, 'response) streams -> 'a) ->
  ('a, Error.t) result
(** [exchange t m f] calls [f streams] and is its result, once the server has ended its stream in
    order. Messages that arrive after [f] has returned are dropped. The streams are valid until [f]
    returns; fibers that [f] forks may use them concurrently. *)

val close : t -> unit
(** [close t] ends the connection in order: no more calls are made, calls already sent are answered,
    and both sides end their streams. It returns when that is done. Idempotent. To limit the wait,
    end the switch. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending
(** [await_end t] waits until the connection is over. *)
