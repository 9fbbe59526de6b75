(** The reading functions of a file's messages. *)

val emit : Ocaml.place -> Out.t -> Schema.message -> unit
(** [emit p o m] writes [and read_m init s pos limit depth = ...], followed by the readers of the
    entries of its maps. *)

val emit_shared : Ocaml.place -> Out.t -> Schema.message -> Schema.field -> unit
(** [emit_shared p o m f] writes the reader of the entries of [f], for which {!Ocaml.is_shared} is
    true. *)
