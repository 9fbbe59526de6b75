(** Loading {!Model} from descriptors. *)

include module type of struct
  include Model
end

type t

val load : Forms.t -> Weir_protobuf_types.Descriptor_pb.File_descriptor_proto.t list -> t
(** [load forms files] resolves files that come in order of dependence.
    @raise Failure where a file is of an edition or says something that is not supported. *)

val file : t -> string -> file
val exists_file : t -> (string -> bool) -> bool
val message : t -> string -> message
val enum : t -> string -> enum

val has_module : t -> string -> string -> bool
(** [has_module t path s] is whether a module of file [path] is called [s], or one that it imports
    publicly. *)

val within : t -> string -> string list -> string list
(** [within t path modules] is the names of the modules in that module of file [path]. *)

val fields : message -> field list
(** [fields m] is all fields, cases included, ordered by number. *)

val required_loops : t -> field -> message -> bool
(** [required_loops t f m] is whether required field [f] of [m] leads back to [m] by required fields
    alone, so that no finite message has it: it is then an option. *)

val types_module : string
(** Where the implementation has the types of messages. *)
