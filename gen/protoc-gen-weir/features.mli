(** Features of editions, resolved: those of a file, message, field or enum after inheritance from
    what encloses it. Protocol Buffers documentation, "Feature Settings for Editions". *)

type t = {
  presence : [ `Explicit | `Implicit | `Required ];
  closed_enums : bool;
  packed : bool;
  check_utf8 : bool;
  delimited : bool;
  legacy_json : bool;  (** fields' JSON names may clash *)
}

val of_file : Weir_protobuf_types.Descriptor_pb.File_descriptor_proto.t -> t
(** [of_file f] is the features by the syntax or edition of [f] and its options.
    @raise Failure if the edition is later than 2024. *)

val refine : t -> Weir_protobuf_types.Descriptor_pb.Feature_set.t option -> t
(** [refine t options] is [options], with the features of [t] where they set none. *)
