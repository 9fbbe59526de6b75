(* JSON and text: what is written, what is refused. The runner tries all else. *)

open Weir_test
open Weir_protobuf
open Weir_protobuf.Unsafe
module All3 = Test_messages_proto3_pb.Test_all_types_proto3

let json () =
  Alcotest.(check string)
    "a person"
    ({|{"name":"Ada","id":1815,"email":"","phones":[{"number":"+44 1","type":"PHONE_TYPE_HOME"},|}
   ^ {|{"type":77}],"lastUpdated":"2001-09-09T01:46:40.005Z","importedFrom":"letters",|}
   ^ {|"scores":{"logic":0.1,"tact":-3e+300},|}
   ^ {|"deltas":["0","-1","9223372036854775807","-9223372036854775808"]}|})
    (Sample_pb.Person.to_json Sample_data.ada)

let text () =
  Alcotest.(check string)
    "a number" "number: \"+44 1\"\ntype: PHONE_TYPE_HOME\n"
    (Sample_pb.Person.Phone_number.to_text (List.hd Sample_data.ada.phones))

let doubles () =
  let m =
    All3.make
      ~repeated_double:
        [
          0.1;
          1.5;
          -0.;
          12345678.117;
          1e22;
          5e-324;
          Float.max_float;
          100.;
          0.30000000000000004;
          infinity;
          neg_infinity;
          -1.25;
          999999.999999;
          1e-7;
        ]
      ()
  in
  match All3.of_json (All3.to_json m) with
  | Ok again ->
      Alcotest.(check (list int64))
        "bit for bit"
        (List.map Int64.bits_of_float m.repeated_double)
        (List.map Int64.bits_of_float again.repeated_double)
  | Error e -> Alcotest.fail (Error.to_string e)

let any_double =
  QCheck2.Test.make ~name:"any double, there and back" ~count:2000 QCheck2.Gen.float (fun x ->
      match All3.of_json (All3.to_json (All3.make ~optional_double:x ())) with
      | Ok m -> Float.is_nan x || Float.equal m.optional_double x
      | Error _ -> false)

let any_string =
  QCheck2.Test.make ~name:"any ASCII string, there and back" ~count:2000
    QCheck2.Gen.(string_size ~gen:(map Char.chr (int_range 0 127)) (int_range 0 40))
    (fun s ->
      let m =
        All3.make ~optional_string:s ~repeated_string:[ s ] ~map_string_string:[ (s, s) ] ()
      in
      All3.of_json (All3.to_json m) = Ok m && All3.of_text (All3.to_text m) = Ok m)

let refuses decode cases () =
  List.iter
    (fun (s, path) ->
      match decode s with
      | Ok _ -> Alcotest.failf "%s was accepted" s
      | Error (e : Error.t) -> Alcotest.(check (list string)) s path e.path)
    cases

let bad_json =
  [
    ("", []);
    ("{", []);
    ("{} x", []);
    ({|{"noSuchField":1}|}, []);
    ({|{"optionalInt32":2147483648}|}, [ "optional_int32" ]);
    ({|{"optionalInt32":1,"optional_int32":1}|}, [ "optional_int32" ]);
    ({|{"optionalNestedMessage":{"a":"x"}}|}, [ "optional_nested_message"; "a" ]);
    ({|{"repeatedInt32":[1,2,null]}|}, [ "repeated_int32"; "2" ]);
    ({|{"oneofUint32":1,"oneofString":""}|}, [ "oneof_string" ]);
    ({|{"optionalTimestamp":"2026-02-30T00:00:00Z"}|}, [ "optional_timestamp" ]);
    ({|{"mapInt32Int32":{"x":1}}|}, [ "map_int32_int32"; "x" ]);
    ({|{"optionalInt32":01}|}, [ "optional_int32" ]);
  ]

let bad_text =
  [
    ("no_such_field: 1", []);
    ("optional_int32: 1 optional_int32: 2", [ "optional_int32" ]);
    ("optional_nested_message { a: 1.5 }", [ "optional_nested_message"; "a" ]);
    ("optional_string: \"a\nb\"", [ "optional_string" ]);
    ("optional_nested_message { a: 1", [ "optional_nested_message" ]);
  ]

let deep () =
  let nested n =
    String.concat "" (List.init n (fun _ -> {|{"recursiveMessage":|})) ^ "{}" ^ String.make n '}'
  in
  let rec around n m = if n = 0 then m else around (n - 1) (All3.make ~recursive_message:m ()) in
  (match All3.to_text (around 101 All3.default) with
  | _ -> Alcotest.fail "text, 101 deep"
  | exception Error.Error _ -> ());
  Alcotest.(check bool) "99 deep" true (Result.is_ok (All3.of_json (nested 99)));
  Alcotest.(check bool) "100,000 deep" true (Result.is_error (All3.of_json (nested 100_000)));
  let brackets = {|{"optionalValue":|} ^ String.make 100_000 '[' in
  Alcotest.(check bool) "lists" true (Result.is_error (All3.of_json brackets))

(* What is wrong may be a megabyte: an error shows some of it, on one line. *)
let short_errors () =
  let long = String.concat "" (List.init 100_000 (fun _ -> "\u{e9}\\n\u{85}")) in
  let json_long = String.concat "" (List.init 100_000 (fun _ -> "\u{e9}\\n\u{85}\\u2028")) in
  let digits = "1" ^ String.make 100_000 '0' and word = String.make 100_000 'x' in
  let check decode s =
    match decode s with
    | Ok _ -> Alcotest.fail "no error"
    | Error e ->
        let shown = Error.to_string e in
        let n = String.length shown in
        if n > 500 then Alcotest.failf "%d bytes: %s" n (String.sub shown 0 500);
        if not (Utf8.valid shown 0 n) then Alcotest.failf "not UTF-8: %S" shown;
        if String.exists (fun c -> c < ' ') shown then
          Alcotest.failf "a control character: %S" shown
  in
  let json fmt = Printf.ksprintf (check All3.of_json) fmt in
  json {|{"%s":1}|} json_long;
  json {|{"optionalInt32":%s}|} digits;
  json {|{"optionalInt32":"%s"}|} digits;
  json {|{"optionalDouble":%s}|} digits;
  json {|{"optionalNestedEnum":"%s"}|} json_long;
  json {|{"optionalTimestamp":"%s"}|} json_long;
  json {|{"optionalDuration":"%s"}|} json_long;
  json {|{"optionalAny":{"@type":"%s"}}|} json_long;
  json {|{"optionalAny":{"@type":"a/%s"}}|} json_long;
  json {|{"mapStringString":{"%s":1}}|} json_long;
  json {|{"mapInt32Int32":{"%s":1}}|} digits;
  json {|{"mapBoolBool":{"%s":true}}|} json_long;
  let text fmt = Printf.ksprintf (check All3.of_text) fmt in
  text "%s: 1" word;
  text "optional_int32: %s" digits;
  text "optional_int32: %s" word;
  text "optional_double: %s" word;
  text "optional_bool: %s" word;
  text "optional_nested_enum: %s" word;
  text "optional_any { [%s]: 1 }" word;
  text "optional_any { [a/%s]: 1 }" word;
  let any = Weir_protobuf_types.Any_pb.Any.make ~type_url:("a/" ^ long) () in
  let written () =
    match All3.to_json (All3.make ~optional_any:any ()) with
    | s -> Ok s
    | exception Error.Error e -> Error e
  in
  check written ();
  Alcotest.(check string)
    "escaped" "a\\u{0}\\xff\\u{85}\u{e9}"
    (Error.excerpt "a\000\xff\u{85}\u{e9}");
  Alcotest.(check string) "forty" (String.make 40 'a' ^ "...") (Error.excerpt (String.make 41 'a'))

(* In an Any, whose bytes nothing has checked: a string cut off, and what would complete it. *)
let pieces_of_any () =
  let any value =
    let type_url = "a/protobuf_test_messages.proto3.TestAllTypesProto3" in
    All3.make ~optional_any:(Weir_protobuf_types.Any_pb.Any.make ~type_url ~value ()) ()
  in
  let recursive s = Printf.sprintf "\xda\x01%c%s" (Char.chr (String.length s)) s in
  let whole = any (recursive "\x72\x02ab" ^ recursive "\x08\x01") in
  let cut = any (recursive "\x72\x02" ^ recursive "ab") in
  let inner =
    All3.make ~recursive_message:(All3.make ~optional_string:"ab" ~optional_int32:1 ()) ()
  in
  Alcotest.(check bool)
    "merged" true
    (match Result.map (fun (m : All3.t) -> m.optional_any) (All3.of_json (All3.to_json whole)) with
    | Ok (Some { value; _ }) -> All3.decode value = Ok inner
    | Ok None | Error _ -> false);
  (match All3.to_json cut with
  | s -> Alcotest.failf "written: %s" s
  | exception Error.Error e -> Alcotest.(check string) "why" "length beyond the end" e.reason);
  (* Text falls back to the two fields. *)
  Alcotest.(check bool) "text" true (All3.of_text (All3.to_text cut) = Ok cut)

(* What an Any read from JSON holds is what encoding gives: no field of its default. *)
let any_bytes () =
  let bytes json =
    match All3.of_json (Printf.sprintf {|{"optionalAny":{"@type":"a/%s}}|} json) with
    | Ok { optional_any = Some any; _ } -> any.value
    | Ok _ -> Alcotest.fail "no Any"
    | Error e -> Alcotest.fail (Error.to_string e)
  in
  let check json want = Alcotest.(check string) json want (bytes json) in
  check {|google.protobuf.Timestamp","value":"1970-01-01T00:00:00.5Z"|} "\x10\x80\xca\xb5\xee\x01";
  check {|google.protobuf.Duration","value":"3s"|} "\x08\x03";
  check {|google.protobuf.Int64Value","value":"0"|} "";
  check {|google.protobuf.StringValue","value":""|} "";
  check {|protobuf_test_messages.proto3.TestAllTypesProto3","optionalInt32":0|} "";
  check {|protobuf_test_messages.proto3.TestAllTypesProto3","optionalBytes":""|} "";
  check {|protobuf_test_messages.proto3.TestAllTypesProto3","optionalDouble":-0.0|}
    "\x61\x00\x00\x00\x00\x00\x00\x00\x80";
  check {|protobuf_test_messages.proto3.TestAllTypesProto3","oneofUint32":0|} "\xf8\x06\x00";
  check {|protobuf_test_messages.proto3.TestAllTypesProto3","repeatedInt32":[0]|} "\xf8\x01\x00"

module Set = Test_messages_proto2_pb.Test_all_types_proto2.Message_set_correct
module Item = Test_messages_proto2_pb.Test_all_types_proto2.Message_set_correct_extension1

(* As protoc prints a message set's item: by its type. *)
let set_items () =
  let item = Item.make ~str:"x" () in
  let set = Extension.set Item.message_set_extension Set.default (Some item) in
  let name = "protobuf_test_messages.proto2.TestAllTypesProto2.MessageSetCorrectExtension1" in
  let read text = Result.map Set.encode (Set.of_text text) in
  Alcotest.(check bool)
    "by type" true
    (read (Printf.sprintf "[%s] { str: \"x\" }" name) = Ok (Set.encode set));
  Alcotest.(check bool) "by extension" true (read (Set.to_text set) = Ok (Set.encode set));
  Alcotest.(check bool)
    "another type" true
    (Result.is_error (Set.of_text "[protobuf_test_messages.proto2.TestAllTypesProto2] {}"))

let cases =
  [
    Suite.case "JSON of a message" json;
    Suite.case "an error shows little of what is wrong" short_errors;
    Suite.case "items of a message set in text" set_items;
    Suite.case "the bytes of an Any read from JSON" any_bytes;
    Suite.case "pieces of a message in an Any" pieces_of_any;
    Suite.case "text of a message" text;
    Suite.case "doubles in JSON" doubles;
    Suite.qcheck any_double;
    Suite.qcheck any_string;
    Suite.case "JSON that is refused, and where" (refuses All3.of_json bad_json);
    Suite.case "text that is refused, and where" (refuses All3.of_text bad_text);
    Suite.case "JSON's nesting is limited" deep;
  ]
