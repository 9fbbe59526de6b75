(** Why no message was received. *)

type t =
  | End  (** the stream ended where a message may end *)
  | Truncated of { have : int; want : int }
      (** the stream ended inside a frame, after [have] of at least [want] bytes *)
  | Too_long of int  (** a frame announces this many bytes, more than the limit *)
  | Malformed of string  (** the prefix of a frame is not valid *)
  | Undecodable of string
      (** the frame is complete, but its content cannot be decoded, for this reason. The next frame
          can be read. *)

val pp : Format.formatter -> t -> unit
val to_string : t -> string
