(** A type's default value: what a codec needs to have, and where none is finite, no decoder ever
    ends. *)

open Ppxlib

val zero : Code.t -> location -> Model.field -> expression
(** [zero c loc f] is the default of field [f]: its own, or its type's. *)

val first_constant : Model.def -> Model.case
(** [first_constant d] is an enum's first constructor. *)

val construct : location -> Model.case -> (Model.field * expression) list -> expression
(** [construct loc case arguments] is a value of the constructor. *)

val build : location -> Model.form -> (Model.field * expression) list -> expression
(** [build loc form values] is the OCaml value that holds these. *)

val is_constant : expression -> bool
(** [is_constant e] is whether [e] names nothing but constructors: it can stand anywhere. *)

val bindings : Code.t -> value_binding list
(** [default_t c_a () = ...] for each type.
    @raise Location.Error where a type has no finite value. *)
