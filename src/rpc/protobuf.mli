(** Services that protoc-gen-weir generates. Their methods have the names that gRPC gives them,
    ["package.Service/Method"]. Methods that stream are not supported. *)

val unary : ('request, 'response) Weir_protobuf.Rpc.t -> ('request, 'response) Method.t
(** [unary Directory.find]
    @raise Invalid_argument if it streams. *)

val handlers : Weir_protobuf.Rpc.handler list -> Service.handler list
(** [handlers (Directory.handlers (module Implementation))] *)
