(** The writing functions of a file's messages. *)

val emit : Ocaml.place -> Out.t -> Schema.message -> unit
(** [emit p o m] writes [and write_m b pos m = ...], with a function for each of its repeated fields
    before it. *)

val emit_shared : Ocaml.place -> Out.t -> Schema.message -> Schema.field -> unit
(** [emit_shared p o m f] writes the writer of the entries of [f], which {!Ocaml.is_shared}. *)

val is_default : Ocaml.place -> Schema.kind -> string -> string
(** [is_default p k v] is an expression that tells whether [v] is what an absent field reads as. *)
