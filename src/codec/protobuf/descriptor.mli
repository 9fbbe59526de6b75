(** What a schema says of a message at run time: enough to read and write any of its formats without
    its types. {!Layout.link} makes them for generated code. They may be cyclic: compare them by
    name only. *)

type kind =
  | Double
  | Float
  | Int32
  | Int64
  | Uint32
  | Uint64
  | Sint32
  | Sint64
  | Fixed32
  | Fixed64
  | Sfixed32
  | Sfixed64
  | Bool
  | String  (** checked to be UTF-8 *)
  | Bytes  (** any bytes *)
  | Raw_string  (** a string whose schema asks for no check *)
  | Enum of enum
  | Message of message
  | Delimited of message  (** between start and end tags, as proto2's groups are *)

and label =
  | Implicit  (** absent means the default *)
  | Explicit
  | Required
  | Repeated
  | Packed  (** repeated, and written as one block *)

and field = {
  number : int;
  name : string;  (** in text format: the schema's name, or the message's for a group *)
  json_name : string;
  kind : kind;
  label : label;
  oneof : string;  (** [""] if in none *)
  form : form;
}

and form =
  | Usual
  | Array  (** repeated numbers are {!Arrays} *)
  | Slice  (** texts are {!Slice}s; repeated numbers are {!Arrays}, and may be parts of the input *)
  | Boxed of int
      (** a derived type's, in lists and options: a value takes so many words beside a text's bytes
      *)

and enum = {
  enum_name : string;  (** full, without a leading dot *)
  values : (string * int) list;  (** the first of equal numbers is the one printed *)
  closed : bool;
}

and message = {
  full_name : string;  (** without a leading dot *)
  mutable fields : field list;  (** ordered by number; set once, by what builds cyclic ones *)
  map_entry : bool;
  message_set : bool;
  reserved : string list;  (** names that fields once had *)
  extensible : (int * int) list;  (** ranges of extension numbers, the end excluded *)
  mutable sliced : bool;
      (** whether its values, or those within them, may be {!Slice}s; set once, as [fields] is *)
  mutable unfolding : unfolding;  (** {!Unfolding}'s own; {!Unmeasured} at first *)
}

and unfolding = ..

type unfolding +=
  | Unmeasured
  | Unbounded  (** an endless description: what its values take is not known from here *)

type extension = {
  extendee : string;  (** full name of the message it extends *)
  extension_name : string;  (** full name *)
  field : field;
}

val endless : string
(** A reserved name that marks a message whose fields are not said here: a derived type's, whose
    description would have no end. JSON and text refuse it. *)

val is_endless : message -> bool
val by_number : message -> int -> field option
val by_name : message -> string -> field option
val is_repeated : field -> bool

val is_array : field -> bool
(** [is_array f] is whether [f]'s numbers are {!Arrays}. *)

val is_map : field -> bool
(** [is_map f] is whether [f] is a map: a repeated message of two fields, key and value. *)

val scalar_name : kind -> string
(** [scalar_name k] is the name of [k] in a schema.
    @raise Invalid_argument if [k] is an enum or a message. *)

val wire_type : kind -> int
(** [wire_type k] is how one unpacked value of [k] is written, 0 to 5. *)

val packable : kind -> bool

val path_to : message -> string -> int -> string list
(** [path_to m s position] is the path of fields of [s], an encoding of [m], within which [position]
    lies, as far as it can be followed. *)
