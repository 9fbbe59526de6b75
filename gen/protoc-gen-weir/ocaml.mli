(** The OCaml text for types, modules and values of a schema, at some place of the generated code.
*)

type place = {
  schema : Schema.t;
  here : string;  (** the .proto file being generated *)
  module_of : string -> string;  (** the OCaml module of another .proto file *)
  others : (string, string * string) Hashtbl.t;
      (** by file: the name of its module, and its name here, which differs if a module of this file
          would hide it; filled while code is generated *)
  fast_json : bool;  (** JSON has code of its own *)
  unknown : Paths.unknown;
  keeps : bool;  (** the current message has a {!slot} *)
  wide : bool;  (** the current message is {!Locals.widened} *)
  cycle : string -> bool;
      (** true of the full name of a message that is defined in one recursion with the current one
      *)
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
(** [hidden_in p path target] is the outermost module around [path] in which a module hides the
    first name of the path [target]; [None] if there is none, or if [target] is below [path]. *)

val alias : string list -> string
(** [alias target] is the name used there for the type [t] of the module [target]. *)

type slot = {
  label : string;
  type_ : string;
  of_string : string -> string;  (** from the expression of a string to that of the value *)
  to_string : string -> string;
}

val slot : place -> Schema.message -> slot option
(** [slot p m] is the last field of [m]'s record, which holds unknown fields, if they are not
    dropped. *)

val own : string -> string -> string
(** [own "read" m.flat] is the name of [m]'s reader in the implementation; other functions likewise.
*)

val own_loop : string -> Schema.message -> Schema.field -> string
(** [own_loop "read" m f] is the name of the reader of the field [f] of [m]. *)

val scalar_name : Weir_protobuf.Descriptor.kind -> string

val is_shared : Schema.field -> bool
(** [is_shared f] is true if [f] is a map of scalars. A file has the functions of such maps once for
    each pair of types. *)

val entries : string -> Schema.message -> Schema.field -> string
(** [entries "read" m f] is the name of the function for the map [f] of [m]: {!own_loop}, or the
    shared one. *)

val of_codec : string -> string -> string
(** [of_codec codec field] is a function of the codec, by its name in {!Weir_protobuf.Codec.Unsafe}.
*)

val codec : place -> string -> string
(** [codec p full_name] is the codec of a message. *)

val value_type : place -> view -> Schema.kind -> string
(** [value_type p v k] is the type of one value. *)

val is_option : place -> Schema.message -> Schema.field -> bool
(** [is_option p m f] is true if [f] is an option in [m]'s record. *)

val field_type : place -> view -> Schema.message -> Schema.field -> string
(** [field_type p v m f] is the type of [f] in [m]'s record. *)

val reader : place -> string -> string
(** [reader p full_name] is the name of a message's function of the type of
    {!Weir_protobuf.Codec.t.read}. The next three are the same for the other functions. *)

val writer : place -> string -> string
val default_message : place -> string -> string
val descriptor : place -> string -> string

val zero : place -> Schema.kind -> string
(** [zero p k] is the value of an absent field. *)

val default : place -> Schema.field -> string
(** [default p f] is the expression for the default of [f] in the schema, {!zero} if it has none. *)
