(** The names of a message's fields in JSON. *)

val default : string -> string
(** [default name] is what protoc makes of a field's name. *)

val of_field : Weir_protobuf_types.Descriptor_pb.Field_descriptor_proto.t -> string
(** [of_field f] is [f]'s JSON name, the usual one if the request leaves it out. *)

val check :
  file:string -> legacy:bool -> Weir_protobuf_types.Descriptor_pb.Descriptor_proto.t -> unit
(** [check ~file ~legacy m] is that no two fields of [m] have the same JSON name. Where [legacy],
    those not chosen by the schema's author may be equal, as protoc has it: proto2, and what asks
    for it by [json_format] or [deprecated_legacy_json_field_conflicts].
    @raise Failure naming the two fields. *)
