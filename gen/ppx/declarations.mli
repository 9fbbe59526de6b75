(** Type declarations to {!Model}, with every error that can be told from the types alone, at the
    place that is to be changed. *)

open Ppxlib

val group : path:string -> rec_flag -> type_declaration list -> Model.group
(** [group ~path rec_flag declarations] are the messages of one [type ... and ...], and those of the
    tuples, polymorphic variants and constructors' arguments within them. [path] is the module that
    they stand in. *)

val parameters : type_declaration -> string list
(** [parameters d] are the names of [d]'s type parameters, made up where they have none. *)

val declares_enum : type_declaration -> bool
(** [declares_enum d] is whether [d] is a variant whose constructors have no arguments. *)
