(** Pieces of code that all the generators share: names of generated functions, types, and how a
    message's functions are reached from where they are called. *)

open Ppxlib

type t
(** One group's generation: its model, and the codecs to be made once beside it. *)

val make : Model.group -> t
val group : t -> Model.group
val loc : Model.def -> location
val evar : location -> string -> expression
val pvar : location -> string -> pattern
val int : location -> int -> expression
val str : location -> string -> expression
val apply : location -> expression -> expression list -> expression

val lambda : location -> string list -> expression -> expression
(** [lambda loc names e] is [fun a b ... -> e], of that arity. *)

val parameters : Model.def -> string list
(** The codecs that a parameterised type's functions take first. *)

val own : location -> string -> Model.def -> expression
(** [own loc verb d] is [verb_d c_a c_b], a function of [d] within [d] itself. *)

val codec : t -> location -> Model.message -> expression
(** [codec c loc m] is an expression for [m]'s codec. One that depends on no parameter is made once.
*)

val reader : t -> location -> Model.message -> expression list -> expression
(** [reader c loc m [s; pos; limit; depth]] reads [m] there. *)

val sizer : t -> location -> Model.message -> expression -> expression
val writer : t -> location -> Model.message -> expression list -> expression

val default : t -> location -> Model.message -> expression
(** The default value of [m]. *)

val enum :
  location ->
  Model.enum ->
  [ `To_int of expression | `Of_int of expression * expression ] ->
  expression
(** [enum loc e (`To_int v)] is [v]'s number; [enum loc e (`Of_int (position, n))] is the value. *)

val of_elsewhere : Model.message -> bool
(** [of_elsewhere m] is whether [m] can be made before this group: neither of it nor of a parameter.
*)

val key_of : Model.message -> string
(** [key_of m] is equal for equal messages. *)

val field_type : Model.field -> core_type
(** [field_type f] is the OCaml type of the whole field. *)

val binding :
  Model.def -> string -> core_type list -> core_type -> string list -> expression -> value_binding
(** [binding d name arguments result names body] is
    [name : 'a 'b. 'a codec -> ... -> result = fun ... -> body], where [names] are the arguments
    after [d]'s parameters. *)

val argument_types : Model.def -> core_type list
(** What a function that takes a [d] takes: one value, or a payload's arguments. *)

val argument_names : Model.def -> string list

val hoisted : t -> (string * expression) list
(** Codecs of elsewhere, applied: to be bound first. *)

val lazies : t -> (string * expression) list
(** Codecs that name this group's: to be bound lazily among its functions. *)

val wants_codec : t -> string -> bool
(** [wants_codec c id] is whether {!codec} was asked for [id]'s own codec. *)

val stand_in : t -> Model.message -> expression -> unit
(** [stand_in c m name] notes that [m], another module's type at one of this group's, is described
    only by the name that [name] computes. *)

val stand_ins : t -> (expression * Model.message) list
