(** The state while the descriptors of a file are loaded, and how fields are loaded. *)

module P = Weir_protobuf_types.Descriptor_pb

type loading = {
  proto : P.File_descriptor_proto.t;
  file_path : string;
  forms : Forms.t;
  comments : (int list, string) Hashtbl.t;
  entries : (string, P.Descriptor_proto.t) Hashtbl.t;  (** map entries by full name *)
  names : Names.table;
  spans : (int list, int list) Hashtbl.t;  (** positions in the source, by path *)
  mutable out_messages : Model.message list;
  mutable out_enums : Model.enum list;
}

val text : string option -> string
val undot : string -> string

val comment : loading -> int list -> string
(** [comment l path] is the schema's comment on the declaration at [path], in the numbering of
    descriptors. *)

val read_comments : P.File_descriptor_proto.t -> (int list, string) Hashtbl.t
val read_spans : P.File_descriptor_proto.t -> (int list, int list) Hashtbl.t

val by_place : loading -> (int list * 'a) list -> 'a list
(** [by_place l things] sorts [things], which come with their paths, by their position in the file.
*)

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
(** [load_field l features ~scope ~entry ~label ~case path f] loads the field [f] of the message
    [scope] under [features]. [case] is its constructor if it is in a oneof; [entry] is true if
    [scope] is a map entry. *)
