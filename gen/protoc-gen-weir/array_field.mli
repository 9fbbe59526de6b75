(** Code for repeated fields that are arrays: calls of {!Weir_protobuf.Arrays}, which generated code
    knows as [A']. Expressions are given and made as text. *)

open Model

val element : field -> field
(** [element f] is [f] for one of its numbers. *)

val empty : field -> string
val is_empty : field -> string -> string

val fresh : field -> string
(** The expression that creates the collector of the field's numbers while they are read. *)

val add : field -> string -> string -> string
(** [add f collected v] is the expression that adds the number [v]. *)

val add_packed : field -> string -> packed:(Weir_protobuf.Descriptor.kind -> string) -> string
(** [add_packed f collected ~packed] is the expression that adds the packed numbers between [p] and
    [stop]; [packed] gives the name of a kind's function. *)

val all : field -> string -> string -> string
(** [all f before collected] is the expression for the whole array. *)

val list : field -> string -> string
val of_list : field -> string -> string

val written : field -> string
(** The name of the function that writes the field's numbers, packed. *)
