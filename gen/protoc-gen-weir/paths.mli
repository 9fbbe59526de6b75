(** Where what becomes of a [.proto] file stands, and what its module is called elsewhere: as the
    plugin's options say. *)

type t

val of_parameter : string option -> t
(** [of_parameter p] is what protoc's parameter asks for, options between commas:
    - [paths=flat], which is the default: [a/b.proto] becomes [b_pb.ml];
    - [paths=package]: a file of package [x.y] becomes [x_y_b_pb.ml];
    - [paths=folders]: it becomes [a/x_y_b_pb.ml], for [(include_subdirs unqualified)];
    - [paths=source_relative]: it becomes [a/b_pb.ml], for a dune library with
      [(include_subdirs qualified)];
    - [json=fast]: JSON has code of its own; else, and with [json=small], it is read and written by
      tables;
    - [Ma/b.proto=Some.Module]: where another file's module is;
    - [local]: Google's own types too are beside the generated ones, not in {!Weir_protobuf_types};
    - what {!Forms.option} has;
    - [dune=FOLDER]: only [protos.inc] is written, a dune rule that runs protoc on these files in
      [FOLDER].

    @raise Failure for any other. *)

val fast_json : t -> bool
val forms : t -> Forms.t
val dune : t -> string option

type unknown =
  | Keep  (** in a field of the record, [unknown_fields] *)
  | Hidden  (** in one of an abstract type *)
  | Drop  (** not, except where extensions stand among them: there, hidden *)

val unknown : t -> unknown
(** [unknown t] is what becomes of fields that the schema does not have. *)

val output : t -> Schema.t -> string -> string
(** [output t schema path] is where a file's module goes, without what stands behind the dot. *)

val check : t -> Schema.t -> string list -> unit
(** [check t schema paths] fails if two of them would go to the same place. *)

val module_of : t -> Schema.t -> here:string -> string -> string
(** [module_of t schema ~here path] is how file [here] names the module of file [path].
    @raise Failure if a folder between them hides it. *)

val rule : t -> Schema.t -> folder:string -> string list -> string
(** [rule t schema ~folder paths] is the text of [protos.inc]. *)
