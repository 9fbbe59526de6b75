open Weir_test
module P = Weir_protobuf_types.Plugin_pb
module D = Weir_protobuf_types.Descriptor_pb
module Request = P.Code_generator_request
module From_request = Weir_from_request.From_request

let here = "test/codec/protobuf"
let path file = Filename.concat (Suite.project_root ()) file
let kept_in names = From_request.read (List.map (fun n -> path (n ^ ".request")) names)
let google = here ^ "/requests/google"
let schemas = here ^ "/requests/schemas"

(* {1 Goldens} *)

let as_committed ?parameter requests names folder () =
  List.iter
    (fun (name, content) -> Suite.expected ~file:(Filename.concat folder name) content)
    (From_request.generate ?parameter (kept_in requests) names)

let golden folder parameter =
  Suite.case
    ("a small schema with " ^ parameter)
    (as_committed ~parameter [ schemas ] [ "golden_pb" ] (here ^ "/golden/" ^ folder))

let own_types =
  List.map
    (fun name -> name ^ "_pb")
    [
      "any";
      "api";
      "descriptor";
      "duration";
      "empty";
      "field_mask";
      "plugin";
      "source_context";
      "struct";
      "timestamp";
      "type";
      "wrappers";
    ]

(* {1 Requests} *)

let imported path = String.starts_with ~prefix:"google/" path

(* A request without what another has and without places of no comment. *)
let compact (request : Request.t) =
  let commented (l : D.Source_code_info.Location.t) =
    l.leading_comments <> None || l.trailing_comments <> None || l.leading_detached_comments <> []
  in
  let file (f : D.File_descriptor_proto.t) =
    let info (i : D.Source_code_info.t) = { i with location = List.filter commented i.location } in
    { f with source_code_info = Option.map info f.source_code_info }
  in
  let own (f : D.File_descriptor_proto.t) = not (imported (Option.get f.name)) in
  { request with proto_file = List.map file (List.filter own request.proto_file) }

let by_protoc folder files =
  Suite.needs_program "protoc";
  let out = Filename.temp_file "weir" ".set" in
  let arguments =
    [ "-I" ^ path folder; "-I/usr/include"; "--include_imports"; "--include_source_info" ]
    @ ("--descriptor_set_out=" ^ out)
      :: List.map (fun f -> path (folder ^ "/" ^ f ^ ".proto")) files
  in
  Alcotest.(check int) "protoc's status" 0 (Sys.command (Filename.quote_command "protoc" arguments));
  let bytes = In_channel.with_open_bin out In_channel.input_all in
  Sys.remove out;
  match D.File_descriptor_set.decode bytes with
  | Ok { file; _ } -> Request.make ~proto_file:file ()
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

(* What is generated is compared, since another protoc may write other requests. *)
let as_protoc_has_it folder kept files () =
  let theirs = by_protoc folder files and names = List.map (fun f -> f ^ "_pb") files in
  if Sys.getenv_opt "WEIR_PROMOTE" = Some "1" then
    Suite.expected ~file:(kept ^ ".request") (Request.encode (compact theirs));
  Alcotest.(check (list (pair string string)))
    "what is generated"
    (From_request.generate theirs names)
    (From_request.generate (kept_in [ google; kept ]) names)

let cases =
  [
    Suite.case "Google's own files, descriptors among them, come out as committed"
      (as_committed ~parameter:"local" [ google ] own_types "src/codec/protobuf/types");
    Suite.case "the sample comes out as committed"
      (as_committed [ google; schemas ] [ "sample_pb" ] (here ^ "/golden"));
    golden "arrays" "repeated=array,string=slice,bytes=slice";
    golden "slices" "repeated=slice";
    golden "fast_json" "json=fast";
    golden "hidden" "unknown=hidden";
    golden "drop" "unknown=drop";
    Suite.case "the tests' schemas are what is kept of them"
      (as_protoc_has_it here schemas [ "names"; "public"; "sample"; "plain"; "golden" ]);
    Suite.case "the lab's schemas are what is kept of them"
      (as_protoc_has_it "lab/studies/codecs/schemas" "lab/studies/codecs/schemas/protobuf"
         [ "payload"; "payload_optional"; "large"; "large_array" ]);
    Suite.case "so is the example's"
      (as_protoc_has_it "examples/phones" (here ^ "/requests/phones") [ "phones" ]);
  ]
