(** Code for repeated fields that are arrays: calls of {!Weir_protobuf.Arrays}, which generated code
    knows as [A']. Expressions are given and made as text. *)

open Model

val empty : field -> string
val is_empty : field -> string -> string

val fresh : field -> string
(** What collects the field's numbers while they are read. *)

val add : field -> string -> string -> string
(** [add f collected v] adds a number. *)

val add_packed : field -> string -> packed:(Weir_protobuf.Descriptor.kind -> string) -> string
(** [add_packed f collected ~packed] adds those between [p] and [stop]; [packed] names a kind's
    function. *)

val all : field -> string -> string -> string
(** [all f before collected] is the array in the end. *)

val list : field -> string -> string
val of_list : field -> string -> string

val written : Weir_protobuf.Descriptor.kind -> string
(** A kind's function among those that write arrays. *)
