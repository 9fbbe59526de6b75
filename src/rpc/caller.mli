(** The client's side of one connection, as a state machine without input or output. It numbers
    calls, matches answers to calls, keeps to the server's limits, and fails the waiting calls when
    the connection is over. A driver moves bytes ({!input}, {!outbox}) and lets callers wait. *)

type t

val create : Limits.t -> t
(** @raise Invalid_argument as {!Limits.check}. *)

val outbox : t -> Outbox.t
(** [outbox t] has the packets to send, the hello first. *)

type state =
  | Greeting  (** the server's hello has not arrived: no call can be made *)
  | Open of int  (** this many calls may be unanswered at once *)
  | Over of Error.ending  (** no more calls *)

val state : t -> state

val unanswered : t -> int
(** [unanswered t] is how many calls are unanswered, including cancelled ones. *)

exception Gone of Error.ending

type answer = (Weir_flow.Slice.t, Error.t) result

val call :
  t ->
  ?shape:Method.shape ->
  timeout_us:int ->
  string ->
  (Weir_message.Output.t -> unit) ->
  (answer -> unit) ->
  int
(** [call t ~timeout_us name write on_answer] sends a call whose request [write] appends, and is its
    number. [timeout_us] is how long the server may take; 0 means no limit. [on_answer] is called
    once, from {!input} or {!close}, with a view that is valid until it returns. Exceptions of
    [write] pass, and nothing is sent. While [write] waits, others may use [t]. If [shape] (default
    [Single]) has streams, {!stream} returns them from then on.
    @raise Weir_message.Output.Too_long if the server's limit does not allow it.
    @raise Gone if [t] ended while [write] waited.
    @raise Invalid_argument
      unless [state t] is [Open n] and [unanswered t < n], or if [timeout_us < 0]. *)

val stream : t -> int -> Stream.t option
(** [stream t id] is the streams of the unanswered call [id]; [None] if it has none. *)

val max_request : t -> Method.shape -> int
(** [max_request t shape] is the server's limit for a request in bytes, the packet's header
    included. A request before a stream of responses is also limited by the server's window. *)

val cancel : t -> int -> unit
(** [cancel t id] tells the server that the answer is no longer wanted. The answer still arrives,
    and [on_answer] is called; until then the call counts in {!unanswered}. Messages of its streams
    are dropped. *)

val input : t -> Weir_flow.Slice.t -> (unit, string) result
(** [input t frame] processes the content of a frame. An error is a violation of the protocol by the
    peer, after which the driver must call {!close}. *)

val stop : t -> unit
(** [stop t] allows no more calls and sends a goodbye. Calls already sent continue. No effect if [t]
    is over. *)

val may_end : t -> bool
(** [may_end t] is whether no more calls are allowed and all are answered. Then the driver must end
    its stream. *)

val close : t -> Error.ending -> unit
(** [close t why] ends [t] and answers all calls with [Closed why]. Idempotent. *)

val decode : ('request, 'response) Method.t -> late:bool -> answer -> ('response, Error.t) result
(** [decode m ~late a] decodes [a] as an answer of [m]. If [late], the call's own deadline has
    passed, and the server's [Timed_out] becomes {!Error.Timed_out}. *)
