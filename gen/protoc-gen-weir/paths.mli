(** Where the generated module of a [.proto] file is, and how other modules name it, by the plugin's
    options. *)

type t

val of_parameter : string option -> t
(** [of_parameter p] reads the options in protoc's parameter, separated by commas:
    - [paths=flat], which is the default: [a/b.proto] becomes [b_pb.ml];
    - [paths=package]: a file of package [x.y] becomes [x_y_b_pb.ml];
    - [paths=folders]: it becomes [a/x_y_b_pb.ml], for [(include_subdirs unqualified)];
    - [paths=source_relative]: it becomes [a/b_pb.ml], for a dune library with
      [(include_subdirs qualified)];
    - [json=fast]: JSON functions are generated; without it, or with [json=small], JSON is read and
      written by tables;
    - [Ma/b.proto=Some.Module]: the module of another file is [Some.Module];
    - [local]: the modules of Google's own types are beside the generated ones too, not in
      {!Weir_protobuf_types};
    - the options of {!Forms.option};
    - [dune=FOLDER]: only [protos.inc] is written, a dune rule that runs protoc on these files in
      [FOLDER].

    @raise Failure for any other option. *)

val fast_json : t -> bool
val forms : t -> Forms.t
val dune : t -> string option

type unknown =
  | Keep  (** in a field of the record, [unknown_fields] *)
  | Hidden  (** in a field of an abstract type *)
  | Drop  (** not kept; but in a message with extensions, which are among them, [Hidden] *)

val unknown : t -> unknown
(** [unknown t] is what becomes of fields that the schema does not have. *)

val output : t -> Schema.t -> string -> string
(** [output t schema path] is the path of a file's module, without the extension. *)

val check : t -> Schema.t -> string list -> unit
(** [check t schema paths] raises [Failure] if two of [paths] have the same output path. *)

val module_of : t -> Schema.t -> here:string -> string -> string
(** [module_of t schema ~here path] is how file [here] names the module of file [path].
    @raise Failure if a folder between them hides it. *)

val rule : t -> Schema.t -> folder:string -> string list -> string
(** [rule t schema ~folder paths] is the text of [protos.inc]. *)
