(** The server's side of one connection, as a state machine without input or output. It decodes
    calls, keeps the client within the server's limits, and frames answers. A driver moves bytes
    ({!input}, {!outbox}) and runs the handlers. *)

type t

val create : Limits.t -> t
(** @raise Invalid_argument as {!Limits.check}. *)

val outbox : t -> Outbox.t
(** [outbox t] has the packets to send, the hello first. *)

val running : t -> int
(** [running t] is how many calls are not answered yet. *)

val may_read : t -> bool
(** [may_read t] is whether more input may be read. If not, calls must be answered or answers sent
    first. *)

type event =
  | Call of {
      id : int;
      timeout_us : int;  (** 0 for none *)
      name : string;
      shape : Method.shape;
      request : Weir_flow.Slice.t;  (** a view for this call *)
    }  (** to be answered once, with {!reply} or {!fail} *)
  | Cancel of int
      (** the client has cancelled this call, and its streams are dropped; the call must still be
          answered *)
  | Stream  (** a packet arrived for the {!stream} of a call *)
  | Nothing

val input : t -> Weir_flow.Slice.t -> (event, string) result
(** [input t frame] processes the content of a frame. An error is a violation of the protocol by the
    client, after which the connection must be closed. *)

val stream : t -> int -> Stream.t option
(** [stream t id] is the streams of the unanswered call [id]; [None] if it has none. *)

val reply : t -> int -> (Weir_message.Output.t -> unit) -> unit
(** [reply t id write] answers with the value that [write] appends; with {!Failure.Too_large} if the
    client's limit does not allow it. Exceptions of [write] pass, and the call must still be
    answered. While [write] waits, others may use [t].
    @raise Invalid_argument if the call was answered. *)

val give_up : t -> int -> unit
(** [give_up t id] drops the streams of a call that should end; it must still be answered. *)

val fail : t -> int -> Failure.t -> unit
(** [fail t id failure] answers with [failure]. It does nothing if the call was answered. *)

val drain : t -> unit
(** [drain t] sends a goodbye and refuses further calls. Idempotent. *)

(** {1 The end} *)

val abandoned : t -> bool
(** [abandoned t] is whether the client has died, if its stream ends now: calls are unanswered and
    it has not sent a goodbye, or open streams need more packets from it. *)

val close : t -> unit
(** [close t] marks the connection as over and drops all streams. *)

val touch : t -> now:Weir_base.Time.t -> unit
(** [touch t ~now] records that a complete packet arrived or a call was answered. *)

val until_idle : t -> now:Weir_base.Time.t -> idle_ns:int -> int
(** [until_idle t ~now ~idle_ns] is the number of nanoseconds until [t] has been idle for [idle_ns]
    if nothing happens; 0 if it already has. It is not idle while calls run. *)

val hold : t -> unit
(** [hold t] says that, until {!release}, an answer waits for space in the outbox and its call no
    longer runs. So a client that reads nothing counts as idle. *)

val release : t -> unit
