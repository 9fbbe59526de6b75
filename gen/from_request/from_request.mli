(** The plugin's answer to requests that protoc made earlier and that were kept in files. *)

val read : string list -> Weir_protobuf_types.Plugin_pb.Code_generator_request.t
(** [read paths] is one request with the descriptors of all these request files, each schema once,
    and without options. A file comes after those that have the schemas it imports.
    @raise Failure if a file is not a request. *)

val generate :
  ?parameter:string ->
  Weir_protobuf_types.Plugin_pb.Code_generator_request.t ->
  string list ->
  (string * string) list
(** [generate ~parameter request names] is the names and contents of the files that the plugin
    makes, for those schemas of [request] whose modules are in [names], such as [b_pb] for
    [a/b.proto]. [parameter] is the plugin's options, default none.
    @raise Failure if the plugin refuses, or if no schema gives one of the names. *)
