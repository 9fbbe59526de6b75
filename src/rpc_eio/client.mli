(** Calls over one connection, from any number of fibers of one domain at once. *)

open Weir_rpc

type t

val create :
  sw:Eio.Switch.t -> clock:_ Eio.Time.Mono.t -> ?limits:Limits.t -> #Weir_flow.Flow.flow -> t
(** [create ~sw ~clock flow] speaks to the server behind [flow], which it owns: when the connection
    is over, it closes it ({!Weir_flow.Flow.closable}; else it ends its direction, if it can). Its
    fibers are daemons of [sw]; releasing [sw] ends it, and all calls fail.
    @raise Invalid_argument as {!Limits.check}. *)

val call :
  t -> ?timeout_ns:int -> ('request, 'response) Method.t -> 'request -> ('response, Error.t) result
(** [call t m request] waits for the answer, before that for its turn if as many calls are under way
    as the server takes. Answers come in any order.

    After [timeout_ns] (default: none), the time waited for a turn included, it is [Timed_out]; the
    server is told how long it has. A call that timed out or is cancelled is cancelled at the server
    too. When the connection ends, all calls are [Closed]. What encoding [request] raises passes. *)

(** {1 With streams}

    As {!call}; [timeout_ns] bounds all of it. The functions given run in the caller's fiber, which
    each message waits for: neither side holds more than {!Limits.t}'s [window] of a stream. What
    they raise passes, and cancels the call at the server. A message longer than the server's window
    allows ends the call with [Too_large], one that is not of the method's type with [Undecodable].
*)

val download :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.download ->
  'request ->
  ('response -> unit) ->
  (unit, Error.t) result
(** [download t m request f] calls [f] on each response, in order. It is [Ok ()] if the server ended
    the stream in order; else some were given to [f]. *)

val upload :
  t ->
  ?timeout_ns:int ->
  ('request, 'response) Method.upload ->
  (('request -> bool) -> unit) ->
  ('response, Error.t) result
(** [upload t m f] is the answer to all that [f send] sends until it returns. [send v] waits until
    the server has room; it is false, and nothing was sent, if the server has answered already or
    the connection is over. *)

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
(** [exchange t m f] is what [f streams] returns, once the server has ended its stream in order;
    what it still sends then is not wanted, and dropped. The streams are for [f] only; fibers that
    it forks may use them at once. *)

val close : t -> unit
(** [close t] ends the connection in order: no more calls, those under way are answered, both sides
    end their streams. It returns when that is done; idempotent. To bound the wait, release the
    switch. *)

val state : t -> Error.ending option
(** [state t] is why no more calls can be made, [None] if they can. *)

val await_end : t -> Error.ending
(** [await_end t] waits until the connection is over. *)
