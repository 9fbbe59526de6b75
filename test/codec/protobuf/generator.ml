(* What names mean in generated code, and protoc as the plugin's caller and peer. *)

open Weir_test
module Response = Weir_protobuf_types.Plugin_pb.Code_generator_response

let read file = In_channel.with_open_bin file In_channel.input_all
let here = "test/codec/protobuf"
let path file = Filename.concat (Suite.project_root ()) (Filename.concat here file)

(* This executable is the plugin when the environment says so: see [Test_protobuf]. *)
let role = "WEIR_PROTOBUF_ROLE"

let as_role name command =
  Unix.putenv role name;
  Fun.protect ~finally:(fun () -> Unix.putenv role "") (fun () -> Sys.command command)

let temp_dir () = Filename.temp_dir "weir" "protobuf"

let protoc_runs_it () =
  let name = "sample" in
  Suite.needs_program "protoc";
  let out = temp_dir () in
  let status =
    as_role "plugin"
      (Filename.quote_command "protoc"
         [
           "-I" ^ path "";
           "-I/usr/include";
           "--plugin=protoc-gen-weir=" ^ Sys.executable_name;
           "--weir_out=" ^ out;
           path (name ^ ".proto");
         ])
  in
  Alcotest.(check int) "protoc's status" 0 status;
  List.iter
    (fun ext ->
      let file = name ^ "_pb" ^ ext in
      Suite.expected ~file:(here ^ "/golden/" ^ file) (read (Filename.concat out file)))
    [ ".mli"; ".ml" ]

(* That names.proto's code compiles is half of its test. *)
let odd_names () =
  let open Names_pb in
  let m = Option.make ~end_:true ~foo_bar:1 ~foo_bar_:2 ~es:[ E.None_; E.Some_ ] () in
  Alcotest.(check int) "default" (-5) (Option.get_type_ m);
  Alcotest.(check string) "bytes default" "\000\255\"\\ \n*)" (Option.get_init m);
  Alcotest.(check bool) "nan" true (Float.is_nan (Option.get_nan m));
  Alcotest.(check int) "an extension's default" (-7) (Weir_protobuf.Extension.get tilt m);
  Alcotest.(check bool) "an enum's" true (Weir_protobuf.Extension.get mood m = E.Some_);
  let m = Weir_protobuf.Extension.set module_ m [ E.Some_; E.X ] in
  let m = Weir_protobuf.Extension.set Scope.owner m (Some Sample_data.ada) in
  Stdlib.List.iter
    (fun (name, again) ->
      match again with
      | Error e -> Alcotest.failf "%s: %s" name (Weir_protobuf.Error.to_string e)
      | Ok again ->
          Alcotest.(check bool)
            name true
            (again.Option.foo_bar_ = Some 2
            && Weir_protobuf.Extension.get_exn module_ again = [ E.Some_; E.X ]
            && Weir_protobuf.Extension.get_exn Scope.owner again = Some Sample_data.ada))
    [
      ("binary", Option.decode (Option.encode m));
      ("JSON", Option.of_json (Option.to_json m));
      ("text", Option.of_text (Option.to_text m));
    ]

let own_names () =
  let open Names_pb in
  let inner = Shadowed.make ~x:1 ~of_json_shadowed:2 ~keys_shadowed:(Shadowed.make ()) () in
  let m =
    Shadow.make ~shadowed:inner ~needed:inner
      ~by_name:[ ("a", inner) ]
      ~read_shadowed:1 ~default_shadowed:2 ~default_shadow:3 ~read_shadow__by_name:[ 4 ] ~raise:5
      ~of_json_shadow:6 ~seen:(Keys_shadow 7) ()
  in
  let same name again = Alcotest.(check bool) name true (again = Ok m) in
  same "binary" (Shadow.decode (Shadow.encode m));
  same "JSON" (Shadow.of_json (Shadow.to_json m));
  same "text" (Shadow.of_text (Shadow.to_text m));
  let c = Codecs.make () in
  Alcotest.(check int) "an extension called get_a" 3 (Codecs.get_a c);
  let o = Weir_protobuf.Extension.set Codecs.last (Option.make ~end_:true ()) (Some c) in
  Alcotest.(check bool)
    "an extension of that type" true
    (Weir_protobuf.Extension.get Codecs.last o = Ok (Some c));
  Alcotest.(check int) "an alias called to_int" (Alias.to_int First) (Alias.to_int Alias.to_int_);
  (* names.proto imports sample.proto publicly, public.proto names.proto. *)
  let p : Public_pb.Person.t = Sample_data.ada in
  Alcotest.(check string) "a type from afar" "Ada" p.name

(* [protoc verb] from standard input to standard output. *)
let protoc verb input =
  let dir = temp_dir () in
  let file name = Filename.concat dir name in
  Out_channel.with_open_bin (file "in") (fun oc -> output_string oc input);
  let command =
    Filename.quote_command "protoc" ~stdin:(file "in") ~stdout:(file "out")
      [ "-I" ^ path ""; "-I/usr/include"; verb; path "sample.proto" ]
  in
  Alcotest.(check int) "protoc's status" 0 (Sys.command command);
  read (file "out")

let protoc_agrees () =
  Suite.needs_program "protoc";
  let book = Sample_data.book in
  let bytes = Sample_pb.Address_book.encode book in
  let text = protoc "--decode=weir.sample.AddressBook" bytes in
  (match Sample_pb.Address_book.of_text text with
  | Ok m -> Alcotest.(check bool) "protoc's text reads back" true (m = book)
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e));
  let encode = protoc "--encode=weir.sample.AddressBook" in
  Alcotest.(check string) "protoc's bytes for its text" bytes (encode text);
  Alcotest.(check string)
    "protoc's bytes for our text" bytes
    (encode (Sample_pb.Address_book.to_text book))

let refuses_nonsense () =
  List.iter
    (fun bytes ->
      match Response.decode (Weir_protoc.Plugin.answer bytes) with
      | Ok { error = Some _; _ } -> ()
      | Ok { error = None; file = []; _ } -> ()
      | Ok _ -> Alcotest.fail "files from nonsense"
      | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e))
    [ "\xff"; "\x0a\x05a.pro"; "\x0a\x07a.proto"; String.make 100 '\x7a' ]

(* Names that protoc lets through: what is refused must say which. *)
let json_names () =
  let module P = Weir_protobuf_types.Descriptor_pb in
  let answer ?json_format syntax fields =
    let field i (name, json_name) =
      P.Field_descriptor_proto.make ~name ?json_name ~number:(i + 1) ~label:Optional ~type_:Int32 ()
    in
    let features = P.Feature_set.make ?json_format () in
    let m =
      P.Descriptor_proto.make ~name:"M" ~field:(List.mapi field fields)
        ~options:(P.Message_options.make ~features ())
        ()
    in
    let proto =
      P.File_descriptor_proto.make ~name:"a.proto" ~syntax ~edition:Edition_2023 ~message_type:[ m ]
        ()
    in
    let request =
      Weir_protobuf_types.Plugin_pb.Code_generator_request.make ~file_to_generate:[ "a.proto" ]
        ~proto_file:[ proto ] ()
    in
    let request = Weir_protobuf_types.Plugin_pb.Code_generator_request.encode request in
    match Response.decode (Weir_protoc.Plugin.answer request) with
    | Ok { error; _ } -> error
    | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)
  in
  let clash = [ ("foo_bar", None); ("fooBar", None) ] in
  let refused name =
    Some
      (Printf.sprintf
         "a.proto: message M: fields %s have the same JSON name %s; set another by json_name" name
         "fooBar")
  in
  let check = Alcotest.(check (option string)) in
  check "proto3" (refused "foo_bar and fooBar") (answer "proto3" clash);
  check "editions" (refused "foo_bar and fooBar") (answer "editions" clash);
  check "proto2 allows it" None (answer "proto2" clash);
  check "so do editions if asked" None (answer ~json_format:Legacy_best_effort "editions" clash);
  check "not if chosen" (refused "a and fooBar")
    (answer "proto2" [ ("a", Some "fooBar"); ("fooBar", Some "fooBar") ]);
  check "swapped names differ" None (answer "proto3" [ ("x", Some "y"); ("y", Some "x") ])

let cases =
  [
    Suite.case "protoc runs the plugin; the sample comes out as committed" protoc_runs_it;
    Suite.case "odd names mean what they should" odd_names;
    Suite.case "names of the generated code's own" own_names;
    Suite.case "protoc and we agree on the sample's bytes and text" protoc_agrees;
    Suite.case "two fields of one JSON name are refused" json_names;
    Suite.case "a bad request is answered with an error" refuses_nonsense;
  ]
