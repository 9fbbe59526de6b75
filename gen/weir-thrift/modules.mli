(** The modules that users see: one for each struct, union, exception, enum and service. *)

val definition : Weir_naming.Files.t -> Program.t -> Idl.definition -> unit
