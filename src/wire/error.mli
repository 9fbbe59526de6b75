(** Why bytes cannot be decoded as a packet. *)

type t =
  | Truncated of { need : int; have : int }
      (** the format needs [need] bytes; only [have] are present *)
  | Bad_checksum
  | Malformed of { at : int; what : string }
      (** the field at [at] bytes from the start of this header has an invalid value *)

val pp : Format.formatter -> t -> unit
val truncated : need:int -> have:int -> ('a, t) result
val malformed : at:int -> string -> ('a, t) result
