type peer = { subject : string; peer : Peer.t }

let tests = [ "read"; "write"; "rw" ]

(* Subject, program, format, message. *)
let all =
  [
    ("prost", "rust", "protobuf", Protobuf.bytes);
    ("cpp-protobuf", "cpp", "protobuf", Protobuf.bytes);
    ("go-protobuf", "go", "protobuf", Protobuf.bytes);
    ("serde-json", "rust", "json", Protobuf.json);
    ("go-json", "go", "json", Protobuf.json);
  ]

let program = Weir_lab_harness.Built.find ~study:"codecs"

let start folder =
  let one (subject, name, format, message) =
    match Result.bind (program folder name) (fun path -> Peer.start path ~format ~message) with
    | Ok peer -> Ok { subject; peer }
    | Error why -> Error (subject, why)
  in
  List.partition_map (fun p -> match one p with Ok peer -> Left peer | Error why -> Right why) all
