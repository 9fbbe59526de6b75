(** Features of editions: what holds for a file, a message, a field, an enum once all that is said
    around it is taken together. Protocol Buffers documentation, "Feature Settings for Editions". *)

type t = {
  presence : [ `Explicit | `Implicit | `Required ];
  closed_enums : bool;
  packed : bool;
  check_utf8 : bool;
  delimited : bool;
  legacy_json : bool;  (** fields' JSON names may clash *)
}

val of_file : Weir_protobuf_types.Descriptor_pb.File_descriptor_proto.t -> t
(** [of_file f] is what [f]'s syntax or edition and its options say.
    @raise Failure if the edition is later than 2024. *)

val refine : t -> Weir_protobuf_types.Descriptor_pb.Feature_set.t option -> t
(** [refine t options] is [t] where [options] is silent. *)
