(* Nasty inputs for each text format, counted in words: reading takes at most 16 times the input and
   1 MB, whatever it is, also where it ends in an error. *)

open Weir_protobuf
module Suite = Weir_test.Suite
module Words = Weir_test.Words
module All3 = Test_messages_proto3_pb.Test_all_types_proto3
module All2 = Test_messages_proto2_pb.Test_all_types_proto2
module Fast3 = Weir_fast_messages.Test_messages_proto3_pb.Test_all_types_proto3
module Arrays3 = Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3

let size = 600_000

(* About [size] bytes of [element i], one behind the other. *)
let series ?(size = size) ~between element =
  let b = Buffer.create (size + 100) in
  let i = ref 0 in
  while Buffer.length b < size do
    if !i > 0 then Buffer.add_string b between;
    Buffer.add_string b (element !i);
    incr i
  done;
  Buffer.contents b

let url name = "type.googleapis.com/" ^ name
let all3 = url "protobuf_test_messages.proto3.TestAllTypesProto3"

(* {1 Elements} *)

let numbers = [ "0"; "-1"; "77"; "1e1"; "1.0"; {|"0"|}; {|"-1"|} ]
let reals = [ "0"; "-0"; "1.5"; "1e9"; "1e-9"; {|"NaN"|}; {|"1e1"|}; "0.0000000000000000000001" ]
let texts = [ {|""|}; {|"a"|}; {|"\n"|}; {|"a\u0041"|}; {|"é"|}; {|"abcdefghij"|} ]

(* Names of repeated fields in JSON, and elements that each takes, by name without "repeated". *)
let lists =
  [
    ("Int32", numbers);
    ("Uint32", [ "0"; "4294967295"; "1e9" ]);
    ("Int64", numbers @ [ "9999999999"; {|"9223372036854775807"|}; {|"-9223372036854775808"|} ]);
    ("Uint64", [ "0"; {|"18446744073709551615"|} ]);
    ("Fixed64", [ "0"; "1000" ]);
    ("Float", reals);
    ("Double", reals);
    ("Bool", [ "true"; "false" ]);
    ("String", texts);
    ("Bytes", [ {|""|}; {|"AA"|}; {|"AA=="|}; {|"AAAAAAAA"|} ]);
    ("NestedEnum", [ "0"; "-1"; {|"FOO"|}; "99" ]);
    ("NestedMessage", [ "{}"; {|{"a":1}|}; "{ }" ]);
    ("ForeignMessage", [ "{}"; {|{"c":1}|} ]);
    ("BoolWrapper", [ "true"; "false" ]);
    ("Int32Wrapper", [ "0"; "1" ]);
    ("Int64Wrapper", [ "0"; {|"99999999999"|} ]);
    ("DoubleWrapper", reals);
    ("FloatWrapper", [ "0"; "1.5" ]);
    ("StringWrapper", texts);
    ("BytesWrapper", [ {|""|}; {|"AA"|} ]);
    ("Timestamp", [ {|"1970-01-01T00:00:00Z"|}; {|"1970-01-01T00:00:00.123456789+01:00"|} ]);
    ("Duration", [ {|"0s"|}; {|"-1.5s"|} ]);
    ("Fieldmask", [ {|""|}; {|"a"|}; {|"a,b,c,d"|}; {|"aB.cD"|} ]);
    ("Any", [ "{}"; {|{"@type":"type.googleapis.com/google.protobuf.Empty"}|} ]);
    ("Struct", [ "{}"; {|{"":0}|} ]);
    ("Value", [ "0"; "null"; "true"; "1e9"; {|""|}; {|"\n"|}; "{}"; "[]"; "[[]]"; {|{"":[]}|} ]);
    ("ListValue", [ "[]"; "[0]"; "[[]]" ]);
  ]

let in_list name element = Printf.sprintf {|{"repeated%s":[%s]}|} name (series ~between:"," element)

let maps =
  [
    ("mapInt32Int32", "0");
    ("mapInt64Int64", {|"0"|});
    ("mapInt32Double", "0");
    ("mapStringString", {|""|});
    ("mapStringBytes", {|""|});
    ("mapStringNestedMessage", "{}");
    ("mapStringNestedEnum", {|"FOO"|});
    ("mapStringNestedEnum", "99");
  ]

let entries value i = Printf.sprintf {|"%d":%s|} i value
let same value _ = Printf.sprintf {|"1":%s|} value
let quoted s = Printf.sprintf {|{"optionalString":"%s"}|} s
let value s = Printf.sprintf {|{"optionalValue":%s}|} s
let struct_ s = Printf.sprintf {|{"optionalStruct":{%s}}|} s

(* An Any's members, its type before them or behind. *)
let any s = Printf.sprintf {|{"optionalAny":{"@type":"%s",%s}}|} all3 s
let any_behind s = Printf.sprintf {|{"optionalAny":{%s,"@type":"%s"}}|} s all3
let inner s = String.sub s 1 (String.length s - 2)

let json_shapes =
  let listed =
    List.concat_map
      (fun (name, elements) ->
        List.map (fun e -> (name ^ " " ^ e, fun () -> in_list name (fun _ -> e))) elements)
      lists
  in
  let mapped =
    List.concat_map
      (fun (name, v) ->
        let map element () = Printf.sprintf {|{"%s":{%s}}|} name (series ~between:"," element) in
        [ (name ^ " of " ^ v, map (entries v)); (name ^ " again", map (same v)) ])
      maps
  in
  let many what s = series ~between:what (fun _ -> s) in
  let within =
    List.concat_map
      (fun (what, s) ->
        [
          ("Any, " ^ what, fun () -> any (inner (s ())));
          ("Any whose type is behind, " ^ what, fun () -> any_behind (inner (s ())));
        ])
      (listed @ mapped)
  in
  listed @ mapped @ within
  @ [
      ("a text of escapes", fun () -> quoted (many "" {|\n|}));
      ("a text of long escapes", fun () -> quoted (many "" {|\u0000|}));
      ("a text of long characters", fun () -> quoted (many "" {|\ud83d\ude00|}));
      ("a text and an escape", fun () -> quoted (String.make size 'a' ^ {|\n|}));
      ("a list of values", fun () -> value ("[" ^ many "," "0" ^ "]"));
      ("a list of texts", fun () -> value ("[" ^ many "," {|""|} ^ "]"));
      ("a list of nulls", fun () -> value ("[" ^ many "," "null" ^ "]"));
      ("lists of lists", fun () -> value ("[" ^ many "," "[[[[]]]]" ^ "]"));
      ("members of values", fun () -> struct_ (series ~between:"," (entries "0")));
      ("the same member", fun () -> struct_ (series ~between:"," (same "0")));
      ("a mask", fun () -> Printf.sprintf {|{"optionalFieldMask":"%s"}|} (many "," "a"));
      ("white space", fun () -> "{" ^ String.make size ' ' ^ "}");
      ( "Any of a list of values",
        fun () ->
          Printf.sprintf {|{"optionalAny":{"@type":"%s","value":[%s]}}|}
            (url "google.protobuf.ListValue") (many "," "0") );
      ( "Any of Anys",
        fun () ->
          Printf.sprintf {|{"optionalAny":{"@type":"%s","repeatedAny":[%s]}}|} all3
            (many "," {|{"@type":"type.googleapis.com/google.protobuf.Empty","value":{}}|}) );
      ("cut off", fun () -> {|{"repeatedInt32":[|} ^ many "," "0");
      ( "floats at the greatest depth",
        fun () ->
          series ~size:1_800 ~between:"" (fun _ -> {|{"recursiveMessage":|})
          ^ in_list "Float" (fun _ -> "0") );
      ( "a list under a long key",
        fun () -> struct_ (Printf.sprintf {|"%s":[%s]|} (String.make 200_000 'a') (many "," "0")) );
      ("cut off in a value", fun () -> {|{"optionalValue":[|} ^ many "," "0");
      ("unknown members", fun () -> "{" ^ many "," {|"x":0|} ^ "}");
      ("an unknown list", fun () -> {|{"x":[|} ^ many "," "0" ^ "]}");
      ("an unknown list of escapes", fun () -> {|{"x":[|} ^ many "," {|"\n"|} ^ "]}");
      ("unknown objects", fun () -> {|{"x":[|} ^ many "," {|{"":{}}|} ^ "]}");
      ("unknown enums", fun () -> {|{"repeatedNestedEnum":[|} ^ many "," {|"X"|} ^ "]}");
    ]

(* {1 Text} *)

let text_lists =
  [
    ("int32", [ "0"; "-1"; "0x1"; "01"; "77" ]);
    ("int64", [ "0"; "-1"; "9999999999" ]);
    ("uint64", [ "0"; "18446744073709551615" ]);
    ("fixed64", [ "0" ]);
    ("float", [ "0"; "1f"; "-inf"; "nan"; "1e9" ]);
    ("double", [ "0"; "1f"; "-inf"; "nan"; "1e9" ]);
    ("bool", [ "0"; "t"; "true" ]);
    ("string", [ "''"; {|"a"|}; {|'\n'|}; "'' ''"; "''''''''"; {|'\101'|} ]);
    ("bytes", [ "''"; {|'\xff'|} ]);
    ("nested_enum", [ "0"; "FOO"; "-1"; "99" ]);
    ("nested_message", [ "{}"; "<>"; "{a:1}"; "{#\n}" ]);
    ("any", [ "{}"; "{[type.googleapis.com/google.protobuf.Empty]{}}" ]);
    ("value", [ "{}"; "{null_value:0}"; "{list_value{}}" ]);
    ("list_value", [ "{}" ]);
  ]

let text_shapes =
  let many what s = series ~between:what (fun _ -> s) in
  let listed =
    List.concat_map
      (fun (name, elements) ->
        List.concat_map
          (fun e ->
            [
              (name ^ " " ^ e, fun () -> Printf.sprintf "repeated_%s:[%s]" name (many "," e));
              (name ^ " each " ^ e, fun () -> many " " (Printf.sprintf "repeated_%s:%s" name e));
            ])
          elements)
      text_lists
  in
  let mapped =
    List.concat_map
      (fun (name, k, v) ->
        [
          ( name,
            fun () ->
              series ~between:"" (fun i -> Printf.sprintf "%s{key:%s value:%s}" name (k i) v) );
          (name ^ ", empty", fun () -> many "" (name ^ "{}"));
          (name ^ ", a list", fun () -> Printf.sprintf "%s:[%s]" name (many "," "{}"));
        ])
      [
        ("map_int32_int32", string_of_int, "0");
        ("map_string_string", Printf.sprintf "'%d'", "''");
        ("map_string_nested_message", Printf.sprintf "'%d'", "{}");
      ]
  in
  let within =
    List.map
      (fun (what, s) ->
        ("Any, " ^ what, fun () -> Printf.sprintf "optional_any{[%s]{%s}}" all3 (s ())))
      (listed @ mapped)
  in
  listed @ mapped @ within
  @ [
      ("a text of escapes", fun () -> "optional_string:'" ^ many "" {|\n|} ^ "'");
      ("a text of pieces", fun () -> "optional_string:" ^ many "" "''");
      ("comments", fun () -> many "" "#\n");
      ("a name in brackets of pieces", fun () -> "optional_any{[" ^ many "" "a." ^ "]{}}");
      ("spaced names", fun () -> "optional_any{[" ^ many " " "a" ^ "]{}}");
      ("cut off", fun () -> "repeated_int32:[" ^ many "," "0");
    ]

(* All2's [reserved_field] once had a value of any kind. *)
let text2_shapes =
  let many what s = series ~between:what (fun _ -> s) in
  [
    ("reserved numbers", fun () -> "reserved_field:[" ^ many "," "0" ^ "]");
    ("reserved texts", fun () -> "reserved_field:[" ^ many "," {|'\n'|} ^ "]");
    ("reserved objects", fun () -> "reserved_field:[" ^ many "," "{a{}}" ^ "]");
    ("reserved again", fun () -> many " " "reserved_field:0");
    ("groups", fun () -> many "" "data{}");
    ("required", fun () -> many "" "message_set_correct{}");
    ( "an extension",
      fun () ->
        "message_set_correct{[protobuf_test_messages.proto2.TestAllTypesProto2.MessageSetCorrectExtension1]{str:'"
        ^ String.make size 'a' ^ "'}}" );
  ]

(* {1 The bound} *)

let bounded (what, read, shapes) () =
  let check (shape, make) =
    let s = make () in
    let result = ref (Ok ()) in
    let words = Words.allocated (fun () -> result := read s) in
    let most = Words.small ~bytes:(String.length s) in
    if words <= most then None
    else
      let end_ = match !result with Ok () -> "read" | Error (e : Error.t) -> e.reason in
      Some (words /. most, Printf.sprintf "%s: %s (%s)" what shape end_)
  in
  match List.sort (Fun.flip compare) (List.filter_map check shapes) with
  | [] -> ()
  | (share, worst) :: _ as bad ->
      Alcotest.failf "%d shapes take too much; the worst, %s, %.5f of what is allowed"
        (List.length bad) worst share

let json ?ignore_unknown c s = Result.map ignore (Json.decode ?ignore_unknown c s)
let text c s = Result.map ignore (Text.decode c s)

let cases =
  List.map
    (fun ((what, _, _) as one) -> Suite.slow what (bounded one))
    [
      ("JSON by tables", json All3.codec, json_shapes);
      ("JSON, unknown ignored", json ~ignore_unknown:true All3.codec, json_shapes);
      ("JSON by code", json Fast3.codec, json_shapes);
      ("JSON into arrays", json Arrays3.codec, json_shapes);
      ("text", text All3.codec, text_shapes);
      ("text into arrays", text Arrays3.codec, text_shapes);
      ("text of proto2", text All2.codec, text2_shapes);
    ]
