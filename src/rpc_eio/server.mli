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
    - [limits] are of each connection;
    - at most [concurrency] (default 1,024) handlers run at once, of all connections; the calls of
      others wait;
    - a call that is not answered after [timeout_ns] (default: none), or after the time that its
      client gave it, is cancelled, and answered with [Timed_out] when its handler has ended;
    - a connection over which nothing whole has come or been answered for [idle_ns] (default: none),
      and for which no handler runs, is told goodbye, and cut off if it is still there after that
      time again;
    - [report name e] is told what a handler of the method [name] raised, or the encoding of what it
      returned; the client is told [Internal] only. What [report] itself raises {!serve} raises.

    How many connections there are is bounded by who accepts them.
    @raise Invalid_argument
      as {!Limits.check} and {!Service.make}, or if [concurrency], [timeout_ns] or [idle_ns] is not
      positive. *)

val serve : t -> #Weir_flow.Flow.flow -> Error.ending
(** [serve t flow] answers the calls that come over [flow] until the connection is over, and is why:
    [Ended] if the client ended its stream and has all its answers. [flow] is then closed
    ({!Weir_flow.Flow.closable}; else its direction is ended, if it can be).

    When the peer dies, breaks the rules, or ends its stream with calls under way and without
    goodbye ([Abandoned], what a killed process looks like), [flow] is closed and the handlers are
    cancelled at once. [serve] returns when they have ended: one that is deaf to cancellation holds
    up [serve], not the peer. Handlers that raise do not end a connection. *)

val connections : t -> int
(** [connections t] is how many are open. *)

val shutdown : ?grace_ns:int -> t -> unit
(** [shutdown t] says goodbye on all connections: calls under way are answered, others refused, and
    clients close. It returns when no connection is left; those that are after [grace_ns] (default 5
    s) are cut off: their flows are closed and their handlers cancelled, not waited for. A handler
    that is deaf to cancellation is a fiber of its {!serve}, which returns after it. Later {!serve}s
    end at once. *)
