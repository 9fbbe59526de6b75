(** Large messages. Each shape has one kind of content: numbers of one encoding, short strings,
    bytes in pieces of some tens of kilobytes, or trees of small messages like a schema's
    descriptor. The bytes are the same each time. *)

type t = {
  name : string;
  format : string;  (** the peers' name for the message type *)
  bytes : int -> string;  (** an encoding of about that many bytes *)
}

val all : t list
