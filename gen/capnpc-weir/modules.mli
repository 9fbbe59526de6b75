(** The modules of a file, with their signatures: both are printed side by side. *)

type out = { ml : Buffer.t; mli : Buffer.t }

val modul : Types.env -> out -> string -> Names.tree -> unit
(** [modul env o indent tree] prints a declaration's module, or its value if it is a constant. *)
