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

let why_not folder program =
  let file = Filename.concat folder (program ^ ".why") in
  match In_channel.with_open_text file In_channel.input_line with
  | Some why -> why
  | None | (exception Sys_error _) -> "it has not been built; `./weir lab codecs` does that"

let program folder name =
  match folder with
  | None -> Error "`./weir lab codecs` builds it and says where"
  | Some folder ->
      let path = Filename.concat folder name in
      if Sys.file_exists path then Ok path else Error (why_not folder name)

let start folder =
  let one (subject, name, format, message) =
    match Result.bind (program folder name) (fun path -> Peer.start path ~format ~message) with
    | Ok peer -> Ok { subject; peer }
    | Error why -> Error (subject, why)
  in
  List.partition_map (fun p -> match one p with Ok peer -> Left peer | Error why -> Right why) all
