open Weir_test
module P = Weir_protobuf_types.Descriptor_pb
module Field = P.Field_descriptor_proto
module Features = P.Feature_set

let field ?(label = Field.Label.Optional) ?type_name ?features ?oneof_index name number type_ =
  let options = Option.map (fun features -> P.Field_options.make ~features ()) features in
  Field.make ~name ~number ~label ~type_ ?type_name ?options ?oneof_index ()

let enum ?features name =
  let value i n = P.Enum_value_descriptor_proto.make ~name:n ~number:i () in
  let options = Option.map (fun features -> P.Enum_options.make ~features ()) features in
  P.Enum_descriptor_proto.make ~name ?options
    ~value:
      (List.mapi value
         [ String.uppercase_ascii name ^ "_NONE"; String.uppercase_ascii name ^ "_ONE" ])
    ()

let repeated = Field.Label.Repeated

(* What the features are unless a field says otherwise is the edition's. *)
let all =
  let features = Features.make in
  P.Descriptor_proto.make ~name:"All" ~visibility:P.Symbol_visibility.Visibility_export
    ~field:
      [
        field "explicit" 1 Int32;
        field "implicit" 2 Int32 ~features:(features ~field_presence:Implicit ());
        field "needed" 3 Int32 ~features:(features ~field_presence:Legacy_required ());
        field "packed" 4 Int32 ~label:repeated;
        field "expanded" 5 Int32 ~label:repeated
          ~features:(features ~repeated_field_encoding:Expanded ());
        field "checked" 6 String;
        field "unchecked" 7 String ~features:(features ~utf8_validation:None_ ());
        field "nested" 8 Message ~type_name:".weir.edition.Hidden";
        field "delimited" 9 Message ~type_name:".weir.edition.Hidden"
          ~features:(features ~message_encoding:Delimited ());
        field "open_enum" 10 Enum ~type_name:".weir.edition.Open";
        field "closed_enum" 11 Enum ~type_name:".weir.edition.Closed";
        field "one" 12 Int32 ~oneof_index:0;
        field "other" 13 String ~oneof_index:0;
      ]
    ~oneof_decl:[ P.Oneof_descriptor_proto.make ~name:"choice" () ]
    ()

let hidden =
  P.Descriptor_proto.make ~name:"Hidden" ~visibility:P.Symbol_visibility.Visibility_local
    ~field:[ field "id" 1 Int32 ]
    ()

let request ?(edition = P.Edition.Edition_2024) () =
  let features =
    Features.make ~enforce_naming_style:Style2024 ~default_symbol_visibility:Export_top_level ()
  in
  (* [import option]: the file that declares custom options need not be in the request. *)
  let file =
    P.File_descriptor_proto.make ~name:"edition2024.proto" ~package:"weir.edition"
      ~option_dependency:[ "elsewhere/options.proto" ]
      ~options:(P.File_options.make ~features ())
      ~syntax:"editions" ~edition ~message_type:[ all; hidden ]
      ~enum_type:[ enum "Open"; enum "Closed" ~features:(Features.make ~enum_type:Closed ()) ]
      ()
  in
  Weir_protobuf_types.Plugin_pb.Code_generator_request.(
    encode (make ~file_to_generate:[ "edition2024.proto" ] ~proto_file:[ file ] ()))

module Response = Weir_protobuf_types.Plugin_pb.Code_generator_response

let response ?edition () =
  match Response.decode (Weir_protoc.Plugin.answer (request ?edition ())) with
  | Ok r -> r
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

let as_committed () =
  let r = response () in
  Alcotest.(check (option string)) "error" None r.error;
  Alcotest.(check (option int)) "the newest edition" (Some 1001) r.maximum_edition;
  List.iter
    (fun (f : Response.File.t) ->
      match (f.name, f.content) with
      | Some name, Some content ->
          Suite.expected ~file:("test/codec/protobuf/golden/" ^ name) content
      | _ -> Alcotest.fail "a file without name or content")
    r.file

(* protoc may be too old for this edition, so the request that the rules read is made here. *)
let kept_request () =
  Suite.expected ~file:"test/codec/protobuf/requests/edition2024.request" (request ())

let later_is_refused () =
  match (response ~edition:Edition_99997_test_only ()).error with
  | Some _ -> ()
  | None -> Alcotest.fail "an edition that does not exist yet was accepted"

module All = Edition2024_pb.All
module Hidden = Edition2024_pb.Hidden

let ok = function Ok m -> m | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

let bytes name expected m =
  Alcotest.(check string) name expected (All.encode m);
  Alcotest.(check bool) (name ^ ", back") true (ok (All.decode expected) = m)

(* Each starts with field 3, the required one; fields stand by number. *)
let on_the_wire () =
  let make = All.make ~needed:1 in
  bytes "nothing" "\x18\x01" (make ());
  bytes "explicit zero" "\x08\x00\x18\x01" (make ~explicit:0 ());
  bytes "implicit" "\x10\x05\x18\x01" (make ~implicit:5 ());
  Alcotest.(check string) "implicit zero" "\x18\x01" (All.encode (make ~implicit:0 ()));
  bytes "packed" "\x18\x01\x22\x02\x01\x02" (make ~packed:[ 1; 2 ] ());
  bytes "expanded" "\x18\x01\x28\x01\x28\x02" (make ~expanded:[ 1; 2 ] ());
  bytes "length-prefixed" "\x18\x01\x42\x02\x08\x07" (make ~nested:(Hidden.make ~id:7 ()) ());
  bytes "delimited" "\x18\x01\x4b\x08\x07\x4c" (make ~delimited:(Hidden.make ~id:7 ()) ());
  bytes "open enum" "\x18\x01\x50\x63" (make ~open_enum:(Unrecognized 99) ());
  bytes "unchecked" "\x18\x01\x3a\x01\xff" (make ~unchecked:"\xff" ());
  bytes "a case" "\x18\x01\x60\x00" (make ~choice:(One 0) ())

let refusals () =
  let m = ok (All.decode "\x18\x01\x58\x63") in
  Alcotest.(check bool)
    "a closed enum's stranger" true
    (m.closed_enum = None && m.unknown_fields = "\x58\x63");
  (match All.decode "" with
  | Error { reason = "required field needed is missing"; _ } -> ()
  | Ok _ | Error _ -> Alcotest.fail "a required field was missed");
  (match All.decode "\x18\x01\x32\x01\xff" with
  | Error { reason = "string is not UTF-8"; _ } -> ()
  | Ok _ | Error _ -> Alcotest.fail "not UTF-8, and read");
  match All.encode (All.make ~needed:1 ~checked:"\xff" ()) with
  | _ -> Alcotest.fail "not UTF-8, and written"
  | exception Invalid_argument _ -> ()

let cases =
  [
    Suite.case "edition 2024's code comes out as committed" as_committed;
    Suite.case "the request for it is the one kept" kept_request;
    Suite.case "a later edition is refused" later_is_refused;
    Suite.case "each of its features on the wire" on_the_wire;
    Suite.case "what its features refuse" refusals;
  ]
