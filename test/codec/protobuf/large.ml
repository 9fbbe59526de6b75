open Weir_test
module P = Weir_protobuf_types.Descriptor_pb
module Field = P.Field_descriptor_proto
module Response = Weir_protobuf_types.Plugin_pb.Code_generator_response

let messages = 300

(* Nine fields of most kinds; each message has two others as fields, so that
   there are long chains: what is expanded into its user there grows quickly. *)
let message i =
  let other k = Printf.sprintf ".large.Message%d" (max 0 (i - k)) in
  let field ?(label = Field.Label.Optional) ?type_name ?proto3_optional name number type_ =
    Field.make ~name ~number ~label ~type_ ?type_name ?proto3_optional
      ?oneof_index:(Option.map (fun _ -> 0) proto3_optional)
      ()
  in
  P.Descriptor_proto.make ~name:(Printf.sprintf "Message%d" i)
    ~field:
      [
        field "name" 1 String;
        field "id" 2 Int32;
        field "title" 3 String ~proto3_optional:true;
        field "active" 4 Bool;
        field "numbers" 5 Int64 ~label:Repeated;
        field "children" 6 Message ~label:Repeated ~type_name:(other 1);
        field "weight" 7 Double;
        field "other" 8 Message ~type_name:(other 7);
        field "kind" 9 Enum ~type_name:".large.Kind";
      ]
    ~oneof_decl:[ P.Oneof_descriptor_proto.make ~name:"_title" () ]
    ()

let file =
  let value i name = P.Enum_value_descriptor_proto.make ~name ~number:i () in
  P.File_descriptor_proto.make ~name:"large.proto" ~package:"large" ~syntax:"proto3"
    ~message_type:(List.init messages message)
    ~enum_type:
      [ P.Enum_descriptor_proto.make ~name:"Kind" ~value:(List.mapi value [ "NONE"; "SOME" ]) () ]
    ()

(* One message of many fields: all are live at once while it is read. *)
let wide =
  let types = P.Field_descriptor_proto.Type.[ Int32; String; Int64; Double; Bytes ] in
  let field i =
    Field.make ~name:(Printf.sprintf "field%d" i) ~number:(i + 1)
      ~label:(if i mod 7 = 0 then Repeated else Optional)
      ~type_:(List.nth types (i mod 5))
      ()
  in
  P.File_descriptor_proto.make ~name:"large.proto" ~package:"large" ~syntax:"proto3"
    ~message_type:[ P.Descriptor_proto.make ~name:"Wide" ~field:(List.init 500 field) () ]
    ()

let generated file =
  let request =
    Weir_protobuf_types.Plugin_pb.Code_generator_request.(
      encode (make ~file_to_generate:[ "large.proto" ] ~proto_file:[ file ] ()))
  in
  match Response.decode (Weir_protoc.Plugin.answer request) with
  | Ok { error = None; file; _ } ->
      List.map (fun (f : Response.File.t) -> (Option.get f.name, Option.get f.content)) file
  | Ok { error = Some e; _ } -> Alcotest.fail e
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

let children_seconds () =
  let t = Unix.times () in
  t.tms_cutime +. t.tms_cstime

(* The processor's seconds: about 9 on the machine this was written on, and over 100
   when readers were expanded into each other and descriptors were code. *)
let limit = 40.

(* 5 there, and 30 when each field had a local of its own. *)
let wide_limit = 20.

(* What is compiled must also run: fields of each kind, far apart. *)
let program =
  {|open Large_pb
let m =
  Wide.make ~field0:[ 1; -1 ] ~field1:"a" ~field2:3L ~field3:0.5 ~field4:"\255" ~field495:(-7)
    ~field496:"b" ~field497:[ 9L ] ~field498:infinity ~field499:"c" ()
let () =
  assert (Wide.decode (Wide.encode m) = Ok m);
  assert (Wide.of_json (Wide.to_json m) = Ok m);
  match Wide.decode (Wide.encode m ^ Wide.encode m) with
  | Ok twice -> assert (twice = { m with field0 = [ 1; -1; 1; -1 ]; field497 = [ 9L; 9L ] })
  | Error _ -> assert false
|}

let below = List.fold_left Filename.concat

let ocamlopt dir arguments =
  let up path = Filename.concat path Filename.parent_dir_name in
  let built = up (up (up (Filename.dirname Sys.executable_name))) in
  let folders =
    List.concat_map
      (fun path ->
        let objects = "." ^ "weir_" ^ List.nth path (List.length path - 1) ^ ".objs" in
        let here = below built path in
        [ here; below here [ objects; "byte" ]; below here [ objects; "native" ] ])
      [ [ "src"; "base" ]; [ "src"; "codec"; "protobuf" ] ]
  in
  let folders = List.concat_map (fun folder -> [ "-I"; folder ]) (dir :: folders) in
  Sys.command (Filename.quote_command "ocamlopt" (("-inline" :: "200" :: folders) @ arguments))

let compiles ?program file limit () =
  Suite.needs_program "ocamlopt";
  let dir = Filename.temp_dir "weir" "large" in
  let at = Filename.concat dir in
  let write (name, content) =
    Out_channel.with_open_bin (at name) (fun oc -> output_string oc content)
  in
  List.iter write (generated file);
  let before = children_seconds () in
  let status = ocamlopt dir [ "-c"; at "large_pb.mli"; at "large_pb.ml" ] in
  let seconds = children_seconds () -. before in
  Option.iter
    (fun program ->
      write ("run.ml", program);
      let linked =
        ocamlopt dir
          [ "weir_base.cmxa"; "weir_protobuf.cmxa"; "large_pb.cmx"; at "run.ml"; "-o"; at "run" ]
      in
      Alcotest.(check int) "linked" 0 linked;
      Alcotest.(check int) "run" 0 (Sys.command (Filename.quote_command (at "run") [])))
    program;
  ignore (Sys.command (Filename.quote_command "rm" [ "-r"; dir ]));
  Alcotest.(check int) "ocamlopt's status" 0 status;
  if seconds > limit then Alcotest.failf "compiled in %.0f s of processor time" seconds

let cases =
  [
    Suite.slow "a schema of 300 messages compiles in seconds" (compiles file limit);
    Suite.slow "a message of 500 fields compiles in seconds" (compiles ~program wide wide_limit);
  ]
