(** The server's side of one connection, as a state machine without input or output. It decodes
    calls, enforces the client's limits, and frames answers. A driver moves bytes ({!input},
    {!outbox}) and runs the handlers. *)

type t

val create : Limits.t -> t
(** @raise Invalid_argument as {!Limits.check}. *)

val outbox : t -> Outbox.t
(** [outbox t] has the packets to send, the hello first. *)

val running : t -> int
(** [running t] is how many calls are not answered yet. *)

val may_read : t -> bool
(** [may_read t] is whether more input may be read; if not, answers must be made or sent first. *)

type event =
  | Call of {
      id : int;
      timeout_us : int;  (** 0 for none *)
      name : string;
      shape : Method.shape;
      request : Weir_flow.Slice.t;  (** a view for this call *)
    }  (** to be answered once, with {!reply} or {!fail} *)
  | Cancel of int
      (** the client no longer wants this call's answer, and its streams are dropped; an answer is
          still required *)
  | Stream  (** something came for the {!stream} of a call *)
  | Nothing

val input : t -> Weir_flow.Slice.t -> (event, string) result
(** [input t frame] processes a frame's content; an error is a violation by the client, which ends
    the connection. *)

val stream : t -> int -> Stream.t option
(** [stream t id] is the streams of call [id], which is not answered yet; [None] if it has none. *)

val reply : t -> int -> (Weir_message.Output.t -> unit) -> unit
(** [reply t id write] answers with the value that [write] appends; with {!Failure.Too_large} if the
    client's limit does not allow it. What [write] raises passes: the call is then still to be
    answered. [write] may wait, while others use [t].
    @raise Invalid_argument if the call was answered. *)

val give_up : t -> int -> unit
(** [give_up t id] drops the streams of a call that should end; it must still be answered. *)

val fail : t -> int -> Failure.t -> unit
(** [fail t id failure] answers with [failure]. It does nothing if the call was answered. *)

val drain : t -> unit
(** [drain t] says goodbye and refuses further calls. Idempotent. *)

(** {1 The end} *)

val abandoned : t -> bool
(** [abandoned t] is whether the end of the client's stream now would mean that the client has died:
    calls are unanswered without a goodbye, or streams are open that need more packets from it. *)

val close : t -> unit
(** [close t] says that the connection is over; it drops all streams. *)

val touch : t -> now:Weir_base.Time.t -> unit
(** [touch t ~now] says that a complete packet arrived or an answer was made. *)

val until_idle : t -> now:Weir_base.Time.t -> idle_ns:int -> int
(** [until_idle t ~now ~idle_ns] is the number of nanoseconds until [t] has been idle for [idle_ns],
    if nothing happens; 0 if it has been. It is not idle while calls run. *)

val hold : t -> unit
(** [hold t] says that a call no longer runs and its answer waits for room, until {!release}: a
    client that reads nothing thus counts as idle. *)

val release : t -> unit
