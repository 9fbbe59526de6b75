(** Answers the calls of any number of connections, all in one domain. *)

open Weir_rpc

type t

val create :
  clock:_ Eio.Time.Mono.t ->
  ?limits:Limits.t ->
  ?concurrency:int ->
  ?timeout_ns:int ->
  ?idle_ns:int ->
  ?report:(string -> exn -> unit) ->
  Service.handler list ->
  t
(** [create ~clock handlers]
    - [limits] are for each connection;
    - at most [concurrency] (default 1,024) handlers of all connections run at once; other calls
      wait;
    - a call not answered after [timeout_ns] (default: none), or after its client's time, is
      cancelled, and answered with [Timed_out] when its handler has ended;
    - a connection is idle if no handler runs for it and no complete packet arrived or was answered
      for [idle_ns] (default: none). It gets a goodbye, and is closed after the same time again;
    - [report name e] is called when a handler of the method [name], or the encoding of its result,
      raised [e]; the client only gets [Internal]. {!serve} raises what [report] raises.

    The caller bounds the number of connections.
    @raise Invalid_argument
      as {!Limits.check} and {!Service.make}, or if [concurrency], [timeout_ns] or [idle_ns] is not
      positive. *)

val serve : t -> #Weir_flow.Flow.flow -> Error.ending
(** [serve t flow] answers the calls of [flow] until the connection is over, and is the reason:
    [Ended] if the client ended its stream and has all its answers. [flow] is then closed
    ({!Weir_flow.Flow.closable}; otherwise its direction is closed if possible).

    If the flow fails, the peer violates the protocol, or it ends its stream with unanswered calls
    and without goodbye ([Abandoned], as when its process is killed), [flow] is closed and the
    handlers are cancelled at once. [serve] returns when they have ended: a handler that ignores
    cancellation delays [serve], not the peer. Handlers that raise do not end a connection. *)

val connections : t -> int
(** [connections t] is how many are open. *)

val shutdown : ?grace_ns:int -> t -> unit
(** [shutdown t] says goodbye on all connections: calls already received are answered, others
    refused, and clients close. It returns when all connections are over. After [grace_ns] (default
    5 s) the flows of the others are closed and their handlers cancelled, not waited for. A handler
    that ignores cancellation only delays its {!serve}. Later {!serve}s end at once. *)
