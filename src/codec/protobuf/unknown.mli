(** The fields of a message that its schema does not have, as they came: the last of a record made
    with [unknown=hidden]. *)

type t

val none : t
val is_none : t -> bool

external to_string : t -> string = "%identity"
(** [to_string u] is their encoding. *)

external of_string : string -> t = "%identity"
(** [of_string s] is the fields that [s] encodes; they are written as they are. *)
