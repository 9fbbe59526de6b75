(** Answers the calls of any number of connections. *)

open Weir_rpc

(** {1 Handlers} *)

(** Promises may be rejected, or the function raise, with {!Failure.Failed} to answer with a
    failure. They are cancelled ([Lwt.cancel]) when the answer is not wanted any more. Streams are
    to be used until the promise is resolved: [receive ()] is the next message, [None] at the end;
    [send v] is resolved when the client has room for it. If the call was given up meanwhile, and
    the handler was deaf to it, both are rejected with {!Failure.Failed}, [Cancelled]. *)
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
(** [of_direct ~threads handler] is a handler in direct style, such as {!Weir_rpc.Protobuf.handlers}
    makes of a generated service: it runs in a thread of its own, and may [await]. Without [threads]
    it may not wait.
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
    - [limits] are of each connection;
    - at most [concurrency] (default 1,024) handlers run at once, of all connections; the calls of
      others wait;
    - a call that is not answered after [timeout_ns] (default: none), or after the time that its
      client gave it, is cancelled, and answered with [Timed_out] when its handler has ended;
    - a connection over which nothing whole has come or been answered for [idle_ns] (default: none),
      and for which no handler runs, is told goodbye, and cut off if it is still there after that
      time again;
    - [report name e] is told what a handler of the method [name] raised, or the encoding of what it
      returned; the client is told [Internal] only. What [report] itself raises rejects {!serve}.

    How many connections there are is bounded by who accepts them.
    @raise Invalid_argument
      as {!Limits.check} and {!Service.of_entries}, or if [concurrency], [timeout_ns] or [idle_ns]
      is not positive. *)

val serve : t -> #Weir_flow_lwt.Flow_lwt.flow -> Error.ending Lwt.t
(** [serve t flow] answers the calls that come over [flow] until the connection is over, and is
    resolved with why: [Ended] if the client ended its stream and has all its answers. [flow] is
    then closed ({!Weir_flow_lwt.Flow_lwt.closable}; else its direction is ended, if it can be).
    When the peer dies, breaks the rules, or ends its stream with calls under way and without
    goodbye ([Abandoned]), the handlers are cancelled at once; it does not wait for those that are
    deaf to that, which keep their turn of [concurrency] until they end. Handlers that fail do not
    end a connection. Cancelling the promise cuts the connection off. *)

val connections : t -> int
(** [connections t] is how many are open. *)

val shutdown : ?grace_ns:int -> t -> unit Lwt.t
(** [shutdown t] says goodbye on all connections: calls under way are answered, others refused, and
    clients close. It is resolved when no connection is left; those that are after [grace_ns]
    (default 5 s) are cut off, their handlers cancelled and not waited for. Later {!serve}s end at
    once. *)
