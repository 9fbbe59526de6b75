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
      request : Weir_flow.Slice.t;  (** a view for this call *)
    }  (** to be answered once, with {!reply} or {!fail} *)
  | Cancel of int  (** that call's answer is not wanted any more; it is still due *)
  | Nothing

val input : t -> Weir_flow.Slice.t -> (event, string) result
(** [input t frame] takes a frame's content; an error is the client's violation, which ends the
    connection. *)

val reply : t -> int -> (Weir_message.Output.t -> unit) -> unit
(** [reply t id write] answers with the value that [write] appends; with {!Failure.Too_large} if the
    client's limit does not allow it. What [write] raises passes: the call is then still to be
    answered. *)

val fail : t -> int -> Failure.t -> unit
(** [fail t id failure] answers so. Nothing if the call was answered. *)

val drain : t -> unit
(** [drain t] says goodbye and refuses further calls. Idempotent. *)
