(** Calls over one connection, from any number of fibers of one domain at once. *)

open Weir_rpc

type t

val create :
  sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create ~sw ~clock flow] is a client of the server behind [flow]. The client owns [flow] and
    closes it when the connection is over ({!Weir_flow.Flow.closable}; otherwise it closes its
    direction if it can). Its fibers are daemons of [sw]. Releasing [sw] ends the client, and all
    calls fail.
    @raise Invalid_argument as {!Limits.check}. *)

val call :
  t -> ?timeout_ns:int -> ('request, 'response) Method.t -> 'request -> ('response, Error.t) result
(** [call t m request] waits until the server's limit allows another call, then for the answer.
    Answers may arrive in any order.

    After [timeout_ns] (default: none), which includes the wait to send, the call is [Timed_out];
    the server is told the remaining time. A call that timed out or was cancelled is cancelled at
    the server too. When the connection ends, all calls are [Closed]. Exceptions of encoding
    [request] pass. *)

(** {1 With streams}

    As {!call}; [timeout_ns] bounds the whole call. The functions given run in the caller's fiber,
    and each message waits for them: neither side holds more than {!Limits.t}'s [window] of a
    stream. Their exceptions pass, and cancel the call at the server. A message longer than the
    server's window allows ends the call with [Too_large]; one that is not of the method's type,
    with [Undecodable]. *)

val download :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.download ->
  'request ->
  ('response -> unit) ->
  (unit, Error.t) result
(** [download t m request f] calls [f] on each response, in order. It is [Ok ()] if the server ended
    the stream in order; after an error [f] may have got some responses. *)

val upload :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.upload ->
  (('request -> bool) -> unit) ->
  ('response, Error.t) result
(** [upload t m f] is the answer to the messages that [f send] sends. [send v] waits until the
    server has room. It is false, and sends nothing, if the server has answered already or the
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
(** [exchange t m f] is what [f streams] returns, once the server has ended its stream in order.
    Messages that arrive after [f] has returned are dropped. Only [f] may use the streams; fibers
    that it forks may use them concurrently. *)

val close : t -> unit
(** [close t] ends the connection in order: no more calls are made, calls already sent are answered,
    and both sides end their streams. It returns when that is done. Idempotent. To bound the wait,
    release the switch. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending
(** [await_end t] waits until the connection is over. *)
