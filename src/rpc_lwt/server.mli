(** Answers the calls of any number of connections. *)

open Weir_rpc

(** {1 Handlers} *)

(** To answer with a failure, a handler raises {!Failure.Failed} or rejects its promise with it. The
    promise is cancelled ([Lwt.cancel]) when the call is cancelled. Streams may be used until the
    promise is resolved: [receive ()] is the next message, [None] at the end; [send v] is resolved
    when the client has space for it. If the call was cancelled, both are rejected with
    {!Failure.Failed}, [Cancelled]. *)
type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response Lwt.t) -> handler
  | Download :
      ('request, 'response) Method.download * ('request -> ('response -> unit Lwt.t) -> unit Lwt.t)
      -> handler  (** [f request send] *)
  | Upload :
      ('request, 'response) Method.upload * ((unit -> 'request option Lwt.t) -> 'response Lwt.t)
      -> handler  (** [f receive] *)
  | Exchange :
      ('request, 'response) Method.exchange
      * ((unit -> 'request option Lwt.t) -> ('response -> unit Lwt.t) -> unit Lwt.t)
      -> handler  (** [f receive send] *)

type threads = { start : 'a. (unit -> 'a) -> 'a Lwt.t; await : 'a. 'a Lwt.t -> 'a }
(** Direct style over promises: [{ start = Threads.start; await = Threads.await }] of
    [Weir_threads]. *)

val of_direct : ?threads:threads -> Service.handler -> handler
(** [of_direct ~threads handler] runs a handler in direct style, such as one of
    {!Weir_rpc.Protobuf.handlers}, in a thread of its own, in which it may [await]. Without
    [threads] it must not wait.
    @raise Invalid_argument if it has streams and there are no [threads]. *)

(** {1 Servers} *)

type t

val create :
  clock:Clock.t ->
  ?limits:Limits.t ->
  ?concurrency:int ->
  ?timeout_ns:int ->
  ?idle_ns:int ->
  ?report:(string -> exn -> unit) ->
  handler list ->
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
      failed with [e]; the client gets only [Internal]. An exception of [report] rejects {!serve}.

    The caller bounds the number of connections.
    @raise Invalid_argument
      as {!Limits.check} and {!Service.of_entries}, or if [concurrency], [timeout_ns] or [idle_ns]
      is not positive. *)

val serve : t -> #Weir_flow_lwt.Flow_lwt.flow -> Error.ending Lwt.t
(** [serve t flow] answers the calls of [flow] until the connection is over, and is resolved with
    the reason: [Ended] if the client ended its stream and has all its answers. Then [flow] is
    closed, if it is a {!Weir_flow_lwt.Flow_lwt.closable}; otherwise the server's direction is shut
    down if possible. If the flow fails, the peer violates the protocol, or it ends its stream with
    unanswered calls and without goodbye ([Abandoned]), the handlers are cancelled at once. [serve]
    does not wait for handlers that ignore cancellation; they count towards [concurrency] until they
    end. Handlers that fail do not end a connection. Cancelling the promise closes the connection.
*)

val connections : t -> int
(** [connections t] is how many are open. *)

val shutdown : ?grace_ns:int -> t -> unit Lwt.t
(** [shutdown t] sends a goodbye on all connections: calls already received are answered, others are
    refused, and clients close. It is resolved when all connections are over. After [grace_ns]
    (default 5 s) it closes the remaining connections, cancels their handlers and does not wait for
    them. Later calls of {!serve} end at once. *)
