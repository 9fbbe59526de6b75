(** Why bytes are not a packet. *)

type t =
  | Truncated of { need : int; have : int }  (** the format says [need] bytes, [have] are there *)
  | Bad_checksum
  | Malformed of { at : int; what : string }
      (** the field [at] bytes from the start of this header has a value that means nothing *)

val pp : Format.formatter -> t -> unit
val truncated : need:int -> have:int -> ('a, t) result
val malformed : at:int -> string -> ('a, t) result
