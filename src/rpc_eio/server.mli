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
    - a call that takes longer than [timeout_ns] (default: none), or than its client allows, is
      cancelled, and answered with [Timed_out] when its handler has ended;
    - a connection is idle if for [idle_ns] (default: no limit) no handler has run for it, no
      complete packet has arrived and no call was answered. It gets a goodbye, and is closed after
      another [idle_ns];
    - [report name e] is called when a handler of the method [name], or the encoding of its result,
      raised [e]; the client gets only [Internal]. Exceptions of [report] pass through {!serve}.

    The caller bounds the number of connections.
    @raise Invalid_argument
      as {!Limits.check} and {!Service.make}, or if [concurrency], [timeout_ns] or [idle_ns] is not
      positive. *)

val serve : t -> #Weir_flow.Flow.flow -> Error.ending
(** [serve t flow] answers the calls of [flow] until the connection is over, and returns the reason:
    [Ended] if the client ended its stream and has all its answers. Then [flow] is closed, if it is
    a {!Weir_flow.Flow.closable}; otherwise the server's direction is shut down if possible.

    If the flow fails, the peer violates the protocol, or it ends its stream with unanswered calls
    and without goodbye ([Abandoned], as when its process is killed), [flow] is closed and the
    handlers are cancelled at once. [serve] returns when they have ended: a handler that ignores
    cancellation delays [serve], not the peer. Handlers that raise do not end a connection. *)

val connections : t -> int
(** [connections t] is how many are open. *)

val shutdown : ?grace_ns:int -> t -> unit
(** [shutdown t] sends a goodbye on all connections: calls already received are answered, others are
    refused, and clients close. It returns when all connections are over. After [grace_ns] (default
    5 s) it closes the flows of the remaining connections, cancels their handlers and does not wait
    for them. A handler that ignores cancellation delays only its {!serve}. Later calls of {!serve}
    end at once. *)
