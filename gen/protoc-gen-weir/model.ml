(** What a set of .proto files means: names resolved, features of all editions reduced to the few
    properties that code depends on, OCaml names chosen. *)

type kind =
  | Scalar of Weir_protobuf.Descriptor.kind  (** never an enum or a message *)
  | Slice of Weir_protobuf.Descriptor.kind
      (** a string or bytes, or an array of numbers of fixed width, not copied *)
  | Enum of string  (** full name, without a leading dot *)
  | Message of string
  | Delimited of string

type shape =
  | Implicit
  | Explicit
  | Required
  | Repeated
  | Packed
  | Repeated_array  (** of a scalar that can be packed *)
  | Packed_array
  | Map of kind * kind
  | Case of string  (** of a oneof, under this constructor *)

type field = {
  number : int;
  name : string;  (** as text format shows it *)
  proto_name : string;
  json_name : string;
  label : string;  (** the record's label, or of a case its constructor *)
  kind : kind;
  shape : shape;
  default : string option;  (** as the descriptor writes it *)
  comment : string;
  oneof_name : string;  (** the schema's name of its oneof, or [""] *)
}

type oneof = {
  oneof_label : string;
  type_name : string;  (** within the message's module *)
  oneof_flat : string;  (** in the implementation *)
  cases : field list;
  oneof_comment : string;
}

type member = Field of field | Oneof of oneof

type message = {
  full_name : string;
  home : string;  (** the .proto file *)
  modules : string list;  (** its module's path within the file's *)
  flat : string;  (** its type's name in the implementation *)
  members : member list;  (** in the order of the file *)
  entry : bool;  (** a map's *)
  message_set : bool;
  reserved : string list;
  extensible : (int * int) list;
  message_comment : string;
  nested : string list;  (** full names of messages and enums within, entries left out *)
  extensions : extension list;  (** declared within *)
}

and extension = { extendee : string; extension_full_name : string; field : field }

type enum = {
  enum_full_name : string;
  enum_home : string;
  enum_modules : string list;
  enum_flat : string;  (** its module's name in the implementation *)
  values : (string * string * int * string) list;
      (** name, constructor, number, comment; no number twice *)
  aliases : (string * string * string) list;  (** name, OCaml name, constructor *)
  closed : bool;
  enum_comment : string;
}

type rpc = {
  rpc_name : string;
  rpc_value : string;
  request : string;
  response : string;
  client_streams : bool;
  server_streams : bool;
  rpc_comment : string;
}

type service = {
  service_name : string;
  service_module : string;
  rpcs : rpc list;
  service_comment : string;
}

type file = {
  path : string;
  package : string;
  file_comment : string;
  names : Names.table;
  top : string list;  (** full names of top-level messages and enums *)
  messages : message list;  (** all, outer before inner, entries included *)
  enums : enum list;
  file_extensions : extension list;
  services : service list;
  imports : string list;
  public_imports : string list;
}
