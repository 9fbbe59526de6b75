(** The local variables that hold a message's fields while it is read. *)

val name : Ocaml.place -> string -> string
(** [name p label] is the variable for the field or oneof [label]. *)

val widened : Ocaml.place -> Schema.message -> Ocaml.place
(** [widened p m] is [p] for the reader of [m]. More than 300 variables are put into a module of the
    reader: the compiler would take minutes to allocate registers for all at once. This costs some
    allocation. *)

val define : Ocaml.place -> Out.t -> (Ocaml.place -> (string -> string -> unit) -> unit) -> unit
(** [define p o each] writes a definition for each call of [add] by [each p' add]: [add] takes the
    name in [p'] and the expression. *)
