(** What is wrong with a message: where, why, and the status that tells the peer. *)

type t = {
  at : int;
      (** bytes from the start of the message to the first that cannot be right, or to the end of
          the field whose meaning cannot *)
  status : int;  (** the status to answer with; 502 if the message was a response *)
  reason : string;  (** a phrase without the peer's bytes in it *)
}

exception Failed of t
(** Raised by body readers only: a flow's [read_into] has no other way to say it. *)

val none : t
(** [none] stands where no error has been found; status 0. *)

val pp : Format.formatter -> t -> unit
val to_string : t -> string
