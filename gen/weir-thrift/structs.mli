(** Types and functions of the structs, unions, exceptions and enums of a file, and its constants.
*)

val types : Program.t -> string
(** [types t] is the file's types, in one recursive definition. *)

val functions : Program.t -> string

val body : Program.t -> string -> docs:bool -> Idl.definition -> string option
(** [body t indent ~docs d] is the right side of the type definition for [d], if [d] has one. *)

val field_type : Program.t -> Idl.field -> string
