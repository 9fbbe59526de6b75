(** Sizes and writers of whole fields: lists and arrays have loops of their own, options and
    defaults may be absent. *)

open Ppxlib

val loops : Code.t -> Model.def -> Model.field list -> value_binding list
(** [loops c d fields] are the functions that the lists and arrays among [fields] need. *)

val always_fixed : Code.t -> Model.field -> int option
(** [always_fixed c f] is the size of [f] with its tag, if all its values have the same. *)

val add_field : Code.t -> Model.def -> Model.field -> sum:expression -> expression -> expression
(** [add_field c d f ~sum v] is [sum], a name or a constant, and the size of field [f], whose value
    is [v], with all its tags. *)

val field_put : Code.t -> Model.def -> Model.field -> expression -> expression
