(** What loading a file of descriptors keeps, and how single fields are understood. *)

module P = Weir_protobuf_types.Descriptor_pb

type loading = {
  proto : P.File_descriptor_proto.t;
  file_path : string;
  forms : Forms.t;
  comments : (int list, string) Hashtbl.t;
  entries : (string, P.Descriptor_proto.t) Hashtbl.t;  (** map entries by full name *)
  names : Names.table;
  spans : (int list, int list) Hashtbl.t;  (** where things stand, by path *)
  mutable out_messages : Model.message list;
  mutable out_enums : Model.enum list;
}

val text : string option -> string
val undot : string -> string

val comment : loading -> int list -> string
(** [comment l path] is what the schema says of the thing at [path], as descriptors number it. *)

val read_comments : P.File_descriptor_proto.t -> (int list, string) Hashtbl.t
val read_spans : P.File_descriptor_proto.t -> (int list, int list) Hashtbl.t

val by_place : loading -> (int list * 'a) list -> 'a list
(** [by_place l things] is the things, each given with its path, in the order of the file. *)

val load_field :
  loading ->
  Features.t ->
  scope:string ->
  entry:bool ->
  label:string ->
  case:string option ->
  int list ->
  P.Field_descriptor_proto.t ->
  Model.field
(** [load_field l features ~scope ~entry ~label ~case path f] is [f], declared in message [scope],
    under [features]; [case] is its constructor if it is in a oneof; [entry] if [scope] is a map's.
*)
