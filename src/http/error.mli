(** An error in a message: its position, the reason, and the status to send. *)

type t = {
  at : int;
      (** offset in the message of the first wrong byte, or of the end of a field with a wrong value
      *)
  status : int;  (** the status to answer with; 502 if the message was a response *)
  reason : string;  (** a phrase; it contains none of the peer's bytes *)
}

exception Failed of t
(** Raised only by body readers, since a flow's [read_into] returns no [result]. *)

val none : t
(** [none] stands for no error; its status is 0. *)

val pp : Format.formatter -> t -> unit
val to_string : t -> string
