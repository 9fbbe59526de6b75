(* weir-protobuf.types weir-protobuf *)
module Timestamp = Weir_protobuf_types.Timestamp_pb.Timestamp

let () = assert (Timestamp.(encode (make ~seconds:3L ())) = "\008\003")
