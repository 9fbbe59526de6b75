(** Services that protoc-gen-weir generates. Their methods have the names that gRPC gives them,
    ["package.Service/Method"]. *)

open Weir_protobuf

val unary : ('request, 'response) Rpc.t -> ('request, 'response) Method.t
(** [unary Directory.find] is the method [find] of the generated module [Directory]. *)

(** The same for methods with streams. *)

val download : ('request, 'response) Rpc.download -> ('request, 'response) Method.download
val upload : ('request, 'response) Rpc.upload -> ('request, 'response) Method.upload
val exchange : ('request, 'response) Rpc.exchange -> ('request, 'response) Method.exchange

val handlers : Rpc.handler list -> Service.handler list
(** [handlers (Directory.handlers (module Implementation))] is the handlers of a generated service.
*)
