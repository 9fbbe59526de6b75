(** Comma-separated values without quotes. *)

val rows : string -> string list list
(** [rows text] is the fields of each line, without comments ([#]) and empty lines. *)
