(** The [.mli] of a file. *)

val file : Ocaml.place -> Schema.file -> string
(** [file p f] is the text of [f]'s interface, with the comments of the schema. *)
