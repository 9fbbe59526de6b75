open Weir_protobuf

let subject name ~value ~write ~read =
  Subject.make name ~value ~write
    ~read:(fun s -> Subject.ok name Error.pp (read s))
    ~length:String.length

let implicit =
  let open Payload_pb in
  let fifth (first, second, third, fourth) = Fifth.make ~first ~second ~third ~fourth () in
  Payload.make ~first:Example.first ~second:Example.second ~third:Example.third
    ~fourth:Example.fourth ~fifth:(List.map fifth Example.fifth) ~sixth:Example.sixth ()

let optional =
  let open Payload_optional_pb in
  let fifth (first, second, third, fourth) = Fifth.make ~first ~second ~third ~fourth () in
  Payload.make ~first:Example.first ~second:Example.second ~third:Example.third
    ~fourth:Example.fourth ~fifth:(List.map fifth Example.fifth) ~sixth:Example.sixth ()

let bytes = Payload_pb.Payload.encode implicit
let json = Payload_pb.Payload.to_json implicit

let subjects =
  let open Payload_pb in
  [
    subject "protobuf-bin" ~value:implicit ~write:Payload.encode ~read:Payload.decode;
    (let open Payload_optional_pb in
     subject "protobuf-bin-optional" ~value:optional ~write:Payload.encode ~read:Payload.decode);
    subject "protobuf-json" ~value:implicit ~write:Payload.to_json ~read:Payload.of_json;
  ]
