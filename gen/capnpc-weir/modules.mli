(** The modules of a file and their signatures. *)

type out = { ml : Buffer.t; mli : Buffer.t }

val modul : Types.env -> out -> string -> Names.tree -> unit
(** [modul env o indent tree] prints a declaration's module, or its value if it is a constant. *)
