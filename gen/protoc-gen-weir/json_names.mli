(** The names of a message's fields in JSON. *)

val default : string -> string
(** [default name] is the JSON name that protoc derives from a field's name. *)

val of_field : Weir_protobuf_types.Descriptor_pb.Field_descriptor_proto.t -> string
(** [of_field f] is the JSON name of [f], {!default} if the request has none. *)

val check :
  file:string -> legacy:bool -> Weir_protobuf_types.Descriptor_pb.Descriptor_proto.t -> unit
(** [check ~file ~legacy m] fails if two fields of [m] have the same JSON name. With [legacy] only
    names that the schema's author chose are compared, as protoc does for proto2 and for
    [json_format] and [deprecated_legacy_json_field_conflicts].
    @raise Failure naming the two fields. *)
