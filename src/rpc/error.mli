(** Why a call has no result. *)

(** Why a connection carries no more calls. *)
type ending =
  | Stopped  (** this side closed it *)
  | Draining  (** the server said that it is about to end *)
  | Ended  (** the peer ended the stream: in order, or not known otherwise *)
  | Abandoned
      (** the client ended the stream with calls under way, and had not said that it would wait for
          them, or had streams in them: as the system of a killed process does *)
  | Lost of exn  (** the flow failed: a reset, say *)
  | Violation of string  (** the peer broke the rules, in this way *)

type t =
  | Remote of Failure.t  (** the server's own answer *)
  | Timed_out  (** before an answer came; whether the server did it is not known *)
  | Too_large of int  (** the request is longer than this, the server's limit; nothing was sent *)
  | Undecodable of string  (** an answer came, not of the method's type *)
  | Closed of ending
      (** with [Draining] nothing was sent; else whether the server did it is not known *)

val pp_ending : Format.formatter -> ending -> unit
val pp : Format.formatter -> t -> unit
val ending_to_string : ending -> string
val to_string : t -> string
