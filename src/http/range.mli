(** The Range field (RFC 9110 §14): one range of bytes. *)

type t =
  | Whole  (** no range that is honoured: another unit, several ranges, or not well-formed *)
  | Part of { first : int; last : int }  (** inclusive, within the length *)
  | Unsatisfiable

val parse : string -> length:int -> t
(** [parse s ~length] is what a field [s] asks of [length] bytes. *)
