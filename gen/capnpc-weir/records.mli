(** The functions that convert between messages and records, in one recursive definition, and before
    them the functions of enums. *)

val all : Types.env -> Names.tree list -> string
