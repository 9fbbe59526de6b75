(** Why a call has no result. *)

(** Why a connection carries no more calls. *)
type ending =
  | Stopped  (** this side closed it *)
  | Draining  (** the server announced that it shuts down *)
  | Ended  (** the peer ended the stream, as far as is known in order *)
  | Abandoned
      (** the client ended the stream while calls were unanswered: without a goodbye, as when a
          process is killed, or with open streams *)
  | Lost of exn  (** the flow failed, for example by a reset *)
  | Violation of string  (** the peer violated the protocol; the reason *)

type t =
  | Remote of Failure.t  (** the server answered with a failure *)
  | Timed_out  (** no answer in time; the server may or may not have run the call *)
  | Too_large of int  (** the request is longer than this, the server's limit; nothing was sent *)
  | Undecodable of string  (** the answer is not of the method's type *)
  | Closed of ending
      (** with [Draining] nothing was sent; otherwise the server may or may not have run the call *)

val pp_ending : Format.formatter -> ending -> unit
val pp : Format.formatter -> t -> unit
val ending_to_string : ending -> string
val to_string : t -> string
