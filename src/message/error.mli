(** Why no message was received. *)

type t =
  | End  (** the stream ended where a message may end *)
  | Truncated of { have : int; want : int }
      (** the stream ended inside a frame: of at least [want] bytes [have] came *)
  | Too_long of int  (** a frame says that it has this many bytes, more than the limit *)
  | Malformed of string  (** a prefix that no frame begins with *)
  | Undecodable of string
      (** the frame is whole, its content is not such a message: a line that says why. The next
          frame can be read. *)

val pp : Format.formatter -> t -> unit
val to_string : t -> string
