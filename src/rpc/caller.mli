(** The client's side of one connection, as a machine that does no input or output: it numbers
    calls, matches answers to them, keeps to the server's limits, and fails what waits when the
    connection is over. A driver moves bytes ({!input}, {!outbox}) and lets callers wait. *)

type t

val create : Limits.t -> t
(** @raise Invalid_argument as {!Limits.check}. *)

val outbox : t -> Outbox.t
(** [outbox t] has what is to be sent, the hello first. *)

type state =
  | Greeting  (** the server's hello has not come: nothing can be called *)
  | Open of int  (** this many calls may be unanswered at once *)
  | Over of Error.ending  (** no more calls *)

val state : t -> state

val unanswered : t -> int
(** [unanswered t] is how many calls wait, with those given up. *)

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
    number. [timeout_us] is how long the server may take, 0 for ever. [on_answer] is called once,
    from {!input} or {!close}, with a view that lasts for that call. What [write] raises passes, and
    nothing is sent. [write] may wait, while others use [t]. With a [shape] (default [Single]) that
    has streams, there is its {!stream} from then on.
    @raise Weir_message.Output.Too_long if the server's limit does not allow it.
    @raise Gone if [t] was over when [write] had waited.
    @raise Invalid_argument
      unless [state t] is [Open n] and [unanswered t < n], or if [timeout_us < 0]. *)

val stream : t -> int -> Stream.t option
(** [stream t id] is what call [id], not answered yet, sends and receives; [None] if it has no
    streams. *)

val max_request : t -> Method.shape -> int
(** [max_request t shape] is the server's limit, bytes with the packet's header. A request before a
    stream of responses may also be no more than the server's window. *)

val cancel : t -> int -> unit
(** [cancel t id] tells the server that the answer is not wanted any more. It still comes, and
    [on_answer] is called; until then the call is one of {!unanswered}. What its streams carry is
    dropped. *)

val input : t -> Weir_flow.Slice.t -> (unit, string) result
(** [input t frame] takes a frame's content; an error is the peer's violation, after which the
    driver calls {!close}. *)

val stop : t -> unit
(** [stop t] allows no more calls, and says goodbye; those under way go on. Nothing if [t] is over.
*)

val may_end : t -> bool
(** [may_end t] is whether all is done: no more calls are allowed, and all are answered. The driver
    then ends its stream. *)

val close : t -> Error.ending -> unit
(** [close t why] ends [t] and answers all calls with [Closed why]. Nothing if it was called before.
*)

val decode : ('request, 'response) Method.t -> late:bool -> answer -> ('response, Error.t) result
(** [decode m ~late a] is [a] as the method [m] has it. [late] is whether the call's own time is
    over: a server that says so too says nothing new, and it is {!Error.Timed_out}. *)
