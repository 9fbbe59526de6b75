module P = Weir_message.Protobuf

let unary (m : _ Weir_protobuf.Rpc.t) =
  if m.client_streams || m.server_streams then
    invalid_arg (m.service ^ "/" ^ m.name ^ " is a method that streams");
  Method.make (m.service ^ "/" ^ m.name) (P.binary m.request) (P.binary m.response)

let handlers l =
  List.map (fun (Weir_protobuf.Rpc.Handler (m, answer)) -> Service.Handler (unary m, answer)) l
