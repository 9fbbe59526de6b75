(** The locals that hold a message's fields while it is read. *)

val name : Ocaml.place -> string -> string
(** [name p label] is the local of the field or oneof [label]. *)

val widened : Ocaml.place -> Schema.message -> Ocaml.place
(** [widened p m] is [p] for the reader of [m]: if there are more than 300 locals, they are in a
    module of the reader's, so that the compiler need not find registers for all at once, which
    takes minutes; it costs some allocation. *)

val define : Ocaml.place -> Out.t -> (Ocaml.place -> (string -> string -> unit) -> unit) -> unit
(** [define p o each] writes definitions of what [each p' add] adds: the name in [p'] of each, and
    the expression that makes it. *)
