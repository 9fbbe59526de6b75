(** The modules that users see, one for each name, and the services. *)

type out = { ml : Buffer.t; mli : Buffer.t }

val definition : out -> Program.t -> Idl.definition -> unit
