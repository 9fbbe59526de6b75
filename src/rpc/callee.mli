(** The server's side of one connection, as a machine that does no input or output: it takes calls
    in, holds the client to its limits, and frames answers. A driver moves bytes ({!input},
    {!outbox}) and runs the handlers. *)

type t

val create : Limits.t -> t
(** @raise Invalid_argument as {!Limits.check}. *)

val outbox : t -> Outbox.t
(** [outbox t] has what is to be sent, the hello first. *)

val running : t -> int
(** [running t] is how many calls are not answered yet. *)

val may_read : t -> bool
(** [may_read t] is whether more may be taken in; else answers have to be made or sent first. *)

type event =
  | Call of {
      id : int;
      timeout_us : int;  (** 0 for none *)
      name : string;
      shape : Method.shape;
      request : Weir_flow.Slice.t;  (** a view for this call *)
    }  (** to be answered once, with {!reply} or {!fail} *)
  | Cancel of int
      (** that call's answer is not wanted any more, and its streams are dropped; it is still due *)
  | Stream  (** something came for the {!stream} of a call *)
  | Nothing

val input : t -> Weir_flow.Slice.t -> (event, string) result
(** [input t frame] takes a frame's content; an error is the client's violation, which ends the
    connection. *)

val stream : t -> int -> Stream.t option
(** [stream t id] is what call [id], not answered yet, sends and receives; [None] if it has no
    streams. *)

val reply : t -> int -> (Weir_message.Output.t -> unit) -> unit
(** [reply t id write] answers with the value that [write] appends; with {!Failure.Too_large} if the
    client's limit does not allow it. What [write] raises passes: the call is then still to be
    answered. [write] may wait, while others use [t].
    @raise Invalid_argument if the call was answered. *)

val give_up : t -> int -> unit
(** [give_up t id] drops the streams of a call that is to end; its answer is still due. *)

val fail : t -> int -> Failure.t -> unit
(** [fail t id failure] answers so. Nothing if the call was answered. *)

val drain : t -> unit
(** [drain t] says goodbye and refuses further calls. Idempotent. *)

(** {1 The end} *)

val abandoned : t -> bool
(** [abandoned t] is whether the client, if its stream ended now, would have gone away: calls are
    under way, and it has not said goodbye, as one does that waits for its answers, or streams are,
    for which it could send nothing more. *)

val close : t -> unit
(** [close t]: the connection is over, and drops all streams. *)

val touch : t -> now:Weir_base.Time.t -> unit
(** [touch t ~now]: something whole came, or was answered. *)

val until_idle : t -> now:Weir_base.Time.t -> idle_ns:int -> int
(** [until_idle t ~now ~idle_ns] is after how many nanoseconds [t] will have been at rest for
    [idle_ns], if nothing happens until then: 0 if it has. It is not at rest while calls run. *)

val hold : t -> unit
(** [hold t]: a call runs no more, and its answer waits for room, until {!release}: a client that
    reads nothing keeps nothing busy. *)

val release : t -> unit
