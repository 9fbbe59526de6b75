(** Why a call has no result. *)

(** Why a connection carries no more calls. *)
type ending =
  | Stopped  (** this side closed it *)
  | Draining  (** the server said that it is about to end *)
  | Ended  (** the peer ended the stream: in order, or not known otherwise *)
  | Abandoned
      (** the client ended the stream with calls unanswered: without goodbye, as when a process is
          killed, or with streams open *)
  | Lost of exn  (** the flow failed, by a reset for example *)
  | Violation of string  (** the peer violated the protocol; the reason *)

type t =
  | Remote of Failure.t  (** the server's own answer *)
  | Timed_out  (** no answer in time; the server may or may not have run the call *)
  | Too_large of int  (** the request is longer than this, the server's limit; nothing was sent *)
  | Undecodable of string  (** the answer is not of the method's type *)
  | Closed of ending
      (** with [Draining] nothing was sent; otherwise the server may or may not have run the call *)

val pp_ending : Format.formatter -> ending -> unit
val pp : Format.formatter -> t -> unit
val ending_to_string : ending -> string
val to_string : t -> string
