(** The [.ml] of a file. *)

val file : Ocaml.place -> Schema.file -> string
(** [file p f] is the text of [f]'s module. *)

val heading : Out.t -> Schema.file -> unit
(** [heading o f] writes the line that says where the file comes from. *)

val public : Ocaml.place -> Out.t -> Schema.file -> unit
(** [public p o f] writes the modules that [f]'s public imports add to it. *)
