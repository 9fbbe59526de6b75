(** How the schema's things are written in OCaml, seen from some place of the generated code. *)

type place = {
  schema : Schema.t;
  here : string;  (** the .proto file being generated *)
  module_of : string -> string;  (** the OCaml module of another .proto file *)
  wide : bool;  (** whether the message in hand is {!Locals.widened} *)
}

type view =
  | Flat  (** inside the implementation, where types and functions are flat *)
  | Within of { path : string list; absolute : bool }
      (** inside the interface's module of this path; [absolute] in a recursive group, where modules
          are named from the top *)

val message_type : place -> view -> string -> string
(** [message_type p v full_name] is the type of a message. *)

val enum_module : place -> view -> string -> string
(** [enum_module p v full_name] is the path of an enum's module. *)

val value_type : place -> view -> Schema.kind -> string
(** [value_type p v k] is the type of one value. *)

val is_option : place -> Schema.message -> Schema.field -> bool
(** [is_option p m f] is whether [f] is held as an option in [m]'s record. *)

val field_type : place -> view -> Schema.message -> Schema.field -> string
(** [field_type p v m f] is the type of [f] in [m]'s record. *)

val reader : place -> string -> string
(** [reader p full_name] is the function of {!Weir_protobuf.Codec.t.read}'s type for a message; so
    are the three below. *)

val sizer : place -> string -> string
val writer : place -> string -> string
val default_message : place -> string -> string
val descriptor : place -> string -> string

val zero : place -> Schema.kind -> string
(** [zero p k] is the value of an absent field. *)

val default : place -> Schema.field -> string
(** [default p f] is its schema's default as an expression, {!zero} if it states none. *)
