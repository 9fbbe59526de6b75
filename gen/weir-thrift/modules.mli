(** The modules that users see: one for each struct, union, exception, enum and service. *)

type out = { ml : Buffer.t; mli : Buffer.t }

val definition : out -> Program.t -> Idl.definition -> unit
