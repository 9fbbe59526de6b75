(** How the schema's things are written in OCaml, seen from some place of the generated code. *)

type place = {
  schema : Schema.t;
  here : string;  (** the .proto file being generated *)
  module_of : string -> string;  (** the OCaml module of another .proto file *)
  others : (string, string * string) Hashtbl.t;
      (** by file what its module is called, and what it is called here, which differs if a module
          of this file would hide it; filled while code is made *)
  fast_json : bool;  (** whether JSON has code of its own *)
  unknown : Paths.unknown;
  keeps : bool;  (** whether the message in hand has a {!slot} *)
  wide : bool;  (** whether the message in hand is {!Locals.widened} *)
  cycle : string -> bool;
      (** whether a message of this full name is defined in one recursion with that in hand *)
}

type view =
  | Flat  (** inside the implementation, where types and functions are flat *)
  | In_types  (** inside its module of types *)
  | Within of string list  (** inside the interface's module of this path *)

val message_type : place -> view -> string -> string
(** [message_type p v full_name] is the type of a message. *)

val enum_module : place -> string -> string
(** [enum_module p full_name] is the path of an enum's module in the implementation. *)

val file_module : place -> string -> string
(** [file_module p path] is the module of another .proto file. *)

val hidden_in : place -> string list -> string list -> string list option
(** [hidden_in p path target] is the outermost module around [path] within which the module [target]
    cannot be named from the top, as one there has the name it begins with; None if it can, or is
    below [path]. *)

val alias : string list -> string
(** [alias target] is what type [t] of module [target] is called there. *)

type slot = {
  label : string;
  type_ : string;
  of_string : string -> string;  (** the expression of it from that of a string *)
  to_string : string -> string;
}

val slot : place -> Schema.message -> slot option
(** [slot p m] is the last of [m]'s record, for fields that the schema does not have, if they are
    not dropped. *)

val own : string -> string -> string
(** [own "read" m.flat] is the implementation's reader of [m]; so for other values. *)

val own_loop : string -> Schema.message -> Schema.field -> string
(** [own_loop "read" m f] is that of field [f] of [m]. *)

val scalar_name : Weir_protobuf.Descriptor.kind -> string

val is_shared : Schema.field -> bool
(** [is_shared f] is whether [f] is a map of scalars, whose functions a file has once for all maps
    with such keys and values. *)

val entries : string -> Schema.message -> Schema.field -> string
(** [entries "read" m f] is the function for the map [f] of [m], {!own_loop}'s or shared. *)

val codec : place -> string -> string
(** [codec p full_name] is the codec of a message. *)

val value_type : place -> view -> Schema.kind -> string
(** [value_type p v k] is the type of one value. *)

val is_option : place -> Schema.message -> Schema.field -> bool
(** [is_option p m f] is whether [f] is held as an option in [m]'s record. *)

val field_type : place -> view -> Schema.message -> Schema.field -> string
(** [field_type p v m f] is the type of [f] in [m]'s record. *)

val reader : place -> string -> string
(** [reader p full_name] is the function of {!Weir_protobuf.Codec.t.read}'s type for a message; so
    are the three below. *)

val writer : place -> string -> string
val default_message : place -> string -> string
val descriptor : place -> string -> string

val zero : place -> Schema.kind -> string
(** [zero p k] is the value of an absent field. *)

val default : place -> Schema.field -> string
(** [default p f] is its schema's default as an expression, {!zero} if it states none. *)
