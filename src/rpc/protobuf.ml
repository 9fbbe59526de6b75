module P = Weir_message.Protobuf
module Rpc = Weir_protobuf.Rpc

let unary (m : (_, _) Rpc.t) =
  Method.make (m.service ^ "/" ^ m.name) (P.binary m.request) (P.binary m.response)

let download : (_, _) Rpc.download -> _ = function Download m -> Method.Download (unary m)
let upload : (_, _) Rpc.upload -> _ = function Upload m -> Method.Upload (unary m)
let exchange : (_, _) Rpc.exchange -> _ = function Exchange m -> Method.Exchange (unary m)

let handler : Rpc.handler -> Service.handler = function
  | Handler (m, f) -> Handler (unary m, f)
  | Download (m, f) -> Download (download m, f)
  | Upload (m, f) -> Upload (upload m, f)
  | Exchange (m, f) -> Exchange (exchange m, f)

let handlers l = List.map handler l
