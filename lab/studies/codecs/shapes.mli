(** Messages of many megabytes, each of one shape, for the large rows: numbers of each kind of
    encoding, short strings, bytes in pieces of some tens of kilobytes, and trees of small messages
    as a schema's descriptor is. The same bytes each time. *)

type t = {
  name : string;
  format : string;  (** as the peers call the message's type *)
  bytes : int -> string;  (** an encoding of about so many bytes *)
}

val all : t list
