(** Sizes and writers of whole fields: lists and arrays have loops of their own, options and
    defaults may be absent. *)

open Ppxlib

val loops : Code.t -> Model.def -> Model.field list -> value_binding list
(** [loops c d fields] are the functions that the lists and arrays among [fields] need. *)

val field_size : Code.t -> Model.def -> Model.field -> expression -> expression
(** [field_size c d f v] is the size of field [f], whose value is [v], with all its tags. *)

val field_put : Code.t -> Model.def -> Model.field -> expression -> expression
