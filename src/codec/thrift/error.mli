(** What is wrong with an encoded value, and where. *)

type t = { at : int;  (** the byte *) what : string }

exception Error of t
(** What every reading function of this library raises on malformed input, and nothing else. *)

val fail : int -> string -> 'a
val pp : Format.formatter -> t -> unit
