(** The functions between messages and records, all in one recursive definition, and those of the
    enums before them. *)

val all : Types.env -> Names.tree list -> string
