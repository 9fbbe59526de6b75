(** Calls over one connection, as many at once as one likes. *)

open Weir_rpc

type t

val create :
  ?switch:Lwt_switch.t -> clock:Clock.t -> ?limits:Limits.t -> #Weir_flow_lwt.Flow_lwt.flow -> t
(** [create ~clock flow] speaks to the server behind [flow], which it owns: when the connection is
    over, it closes it ({!Weir_flow_lwt.Flow_lwt.closable}; else it ends its direction, if it can).
    Turning [switch] off is {!abort}.
    @raise Invalid_argument as {!Limits.check}.
    @raise Lwt_switch.Off if [switch] is off. *)

val call :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.t ->
  'request ->
  ('response, Error.t) result Lwt.t
(** [call t m request] is resolved with the answer; it waits for its turn if as many calls are under
    way as the server takes. Answers come in any order.

    After [timeout_ns] (default: none), the time waited for a turn included, it is [Timed_out]; the
    server is told how long it has. A call that timed out, or whose promise is cancelled, is
    cancelled at the server too. When the connection ends, all calls are [Closed]. What encoding
    [request] raises rejects the promise. *)

(** {1 With streams}

    As {!call}; [timeout_ns] bounds all of it. Each message waits for the promises of the functions
    given: neither side holds more than {!Limits.t}'s [window] of a stream. What rejects them
    rejects the call, and cancels it at the server; when the call times out or is cancelled, they
    are cancelled. A message longer than the server's window allows ends the call with [Too_large],
    one that is not of the method's type with [Undecodable]. *)

val download :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.download ->
  'request ->
  ('response -> unit Lwt.t) ->
  (unit, Error.t) result Lwt.t
(** [download t m request f] calls [f] on each response, in order, when the promise of the one
    before is resolved. It is [Ok ()] if the server ended the stream in order; else some were given
    to [f]. *)

val upload :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.upload ->
  (('request -> bool Lwt.t) -> unit Lwt.t) ->
  ('response, Error.t) result Lwt.t
(** [upload t m f] is the answer to all that [f send] sends until its promise is resolved. [send v]
    waits until the server has room; it is false, and nothing was sent, if the server has answered
    already or the connection is over. *)

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
(** [exchange t m f] is what [f streams] is resolved with, once the server has ended its stream in
    order; what it still sends then is not wanted, and dropped. *)

val close : t -> unit Lwt.t
(** [close t] ends the connection in order: no more calls, those under way are answered, both sides
    end their streams. It is resolved when that is done; idempotent. To bound the wait, {!abort}. *)

val abort : t -> unit
(** [abort t] ends the connection at once: all calls are [Closed Stopped]. Idempotent. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending Lwt.t
(** [await_end t] is resolved when the connection is over, and its flow closed. *)
