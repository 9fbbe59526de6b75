(** Calls over one connection, any number concurrently. *)

open Weir_rpc

type t

val create :
  ?switch:Lwt_switch.t -> clock:Clock.t -> ?limits:Limits.t -> #Weir_flow_lwt.Flow_lwt.flow -> t
(** [create ~clock flow] is a client of the server behind [flow]. The client owns [flow] and closes
    it when the connection is over, if it is a {!Weir_flow_lwt.Flow_lwt.closable}; otherwise it
    shuts down its own direction if it can. Turning [switch] off is {!abort}.
    @raise Invalid_argument as {!Limits.check}.
    @raise Lwt_switch.Off if [switch] is off. *)

val call :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.t ->
  'request ->
  ('response, Error.t) result Lwt.t
(** [call t m request] waits until the server's limit allows another call, sends it and is resolved
    with the answer. Answers may arrive in any order.

    After [timeout_ns] (default: none), which includes the wait to send, the result is [Timed_out];
    the server learns the remaining time. A call that times out, or whose promise is cancelled, is
    cancelled at the server too. When the connection ends, all calls fail with [Closed]. Exceptions
    of encoding [request] reject the promise. *)

(** {1 With streams}

    As {!call}; [timeout_ns] bounds the whole call. Messages wait for the promises of the given
    functions, so that neither side holds more than the [window] of {!Limits.t}. If such a promise
    is rejected, the call is rejected too, and cancelled at the server. When the call times out or
    is cancelled, these promises are cancelled. A message that is too long for the server's window
    ends the call with [Too_large], a message that cannot be decoded with [Undecodable]. *)

val download :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.download ->
  'request ->
  ('response -> unit Lwt.t) ->
  (unit, Error.t) result Lwt.t
(** [download t m request f] calls [f] on each response, in order, when the promise of the one
    before is resolved. It is [Ok ()] if the server ended the stream in order. Before an error, [f]
    may have got some of the responses. *)

val upload :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.upload ->
  (('request -> bool Lwt.t) -> unit Lwt.t) ->
  ('response, Error.t) result Lwt.t
(** [upload t m f] calls [f send] and is the server's answer. [send v] waits until the server has
    space and sends [v]. It is false, and sends nothing, if the server has already answered or the
    connection is over. *)

type ('request, 'response) streams = {
  send : 'request -> bool Lwt.t;  (** as in {!upload} *)
  finish : unit -> unit;  (** ends the stream of requests; idempotent *)
  receive : unit -> 'response option Lwt.t;  (** [None] at the end, also if the call fails *)
}

val exchange :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.exchange ->
  (('request, 'response) streams -> 'a Lwt.t) ->
  ('a, Error.t) result Lwt.t
(** [exchange t m f] calls [f streams] and is its result, once the server has ended its stream in
    order. Messages that arrive after that promise is resolved are dropped. *)

val close : t -> unit Lwt.t
(** [close t] ends the connection in order: no more calls are made, calls already sent are answered,
    and both sides end their streams. It is resolved when that is done. Idempotent. To limit the
    wait, call {!abort}. *)

val abort : t -> unit
(** [abort t] ends the connection at once: all calls fail with [Closed Stopped]. Idempotent. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending Lwt.t
(** [await_end t] is resolved when the connection is over and its flow closed. *)
