(** The modules of a file and their signatures. *)

val modul : Types.env -> Weir_naming.Files.t -> string -> Names.tree -> unit
(** [modul env o indent tree] prints a declaration's module, or its value if it is a constant. *)
