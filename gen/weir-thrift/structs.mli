(** Types and functions of the structs, unions, exceptions and enums of a file, and its constants.
*)

val types : Program.t -> string
(** One recursive definition. *)

val functions : Program.t -> string

val body : Program.t -> string -> docs:bool -> Idl.definition -> string option
(** [body t indent ~docs d] is the right side of a type's definition. *)

val field_type : Program.t -> Idl.field -> string
