(* JSON where fast paths begin and end: names, white space, numbers, strings. *)

open Weir_test
open Weir_protobuf
open Weir_protobuf.Unsafe
module All3 = Test_messages_proto3_pb.Test_all_types_proto3
module Swapped = Names_pb.Swapped

let ok show = function Ok m -> m | Error e -> Alcotest.failf "%s: %s" show (Error.to_string e)
let all3 s = ok s (All3.of_json s)

let swapped =
  Swapped.make ~x:1 ~y:2 ~quoted:3 ~state:4 ~a_name_longer_than_sixteen_bytes:5
    ~a_name_longer_than_sixteen_bytes_too:6
    ~inner_part:(Swapped.Inner_part.make ~index:7 ())
    ()

let members =
  [
    {|"y":1|}; {|"x":2|}; {|"a\"\\b":3|}; {|"state":4|}; {|"aNameLongerThanSixteenBytes":5|};
    {|"aNameLongerThanSixteenBytesToo":6|}; {|"innerPart":{"index":7}|};
  ]
[@@ocamlformat "disable"]

let object_of members = "{" ^ String.concat "," members ^ "}"

let names () =
  let reads name text =
    Alcotest.(check bool) name true (ok name (Swapped.of_json text) = swapped)
  in
  let written = object_of members in
  Alcotest.(check string) "written" written (Swapped.to_json swapped);
  reads "as written" written;
  reads "in the other order" (object_of (List.rev members));
  reads "with nulls between"
    (object_of
       (List.concat_map (fun m -> [ {|"aNameLongerThanSixteenBytes":null|}; m ]) members));
  reads "with escapes and the schema's names"
    ({|{ "\u0079" : 1 ,"x":2,"\u0061\"\\b":3,"st\u0061te":4,"a_name_longer_than_sixteen_bytes":5,|}
   ^ "\n\t\r \"a_name_longer_than_sixteen_bytes_too\"  :  6, \"inner_part\":{ \"index\"\n:7 } }\n ");
  let refused text =
    match Swapped.of_json text with
    | Ok _ -> Alcotest.failf "%s was read" text
    | Error e -> e.position
  in
  List.iter
    (fun m -> ignore (refused (object_of (m :: members)) : int))
    members;
  Alcotest.(check int) "where" 11 (refused {|{"y":1,"y":2}|});
  List.iter
    (fun text -> ignore (refused text : int))
    [
      {|{"y":1,}|}; {|{,"y":1}|}; {|{"y" 1}|}; {|{"y":}|}; {|{"y":1 "x":2}|}; {|{"state:4}|}; {|{"state"|};
      {|{"aNameLongerThanSixteenBytesTo":6}|}; {|{"aNameLongerThanSixteenBytes|}; {|{"y":nul}|}; {|["y"]|};
    ]
  [@@ocamlformat "disable"]

let unknown () =
  let text = {|{"q":[{"r":null},"\"",-1e5,true],"state":4,"q":{},"Q":"x"}|} in
  let m = ok text (Json.decode ~ignore_unknown:true Swapped.codec text) in
  Alcotest.(check (option int)) "the known" (Some 4) m.state;
  match Swapped.of_json text with
  | Ok _ -> Alcotest.fail "unknown names were read"
  | Error e -> Alcotest.(check string) "reason" "weir.names.Swapped has no field q" e.reason

(* Of more fields than a word has bits. *)
let many () =
  let text = All3.to_json Fuzz.message in
  Alcotest.(check bool) "there and back" true (all3 text = Fuzz.message);
  let doubled = {|{"optionalInt32":1,"optionalInt64":"2","optionalInt32":1}|} in
  Alcotest.(check bool) "a field given twice" true (Result.is_error (All3.of_json doubled));
  let both = {|{"oneofUint32":1,"oneofEnum":"FOO"}|} in
  Alcotest.(check bool) "two of a oneof" true (Result.is_error (All3.of_json both));
  let m = all3 {|{"oneofUint32":null,"oneofEnum":"BAR","optionalNestedEnum":-1}|} in
  Alcotest.(check bool) "an enum" true (m.oneof_field = Some (Oneof_enum All3.Nested_enum.Bar));
  Alcotest.(check bool) "a negative one" true (m.optional_nested_enum = All3.Nested_enum.Neg);
  let text = {|{"optionalNestedEnum":"NONE","repeatedNestedEnum":["BAR","NONE","BAZ"],|}
    ^ {|"mapStringNestedEnum":{"a":"NONE","b":"BAR"},"oneofEnum":"NONE"}|} in
  let m = ok text (Json.decode ~ignore_unknown:true All3.codec text) in
  Alcotest.(check bool) "unknown enum names are left out" true
    (m = All3.make ~repeated_nested_enum:[ All3.Nested_enum.Bar; Baz ]
           ~map_string_nested_enum:[ ("b", All3.Nested_enum.Bar) ] ())
[@@ocamlformat "disable"]

let range () =
  let refused name m =
    match All3.to_json m with
    | s -> Alcotest.failf "%s: %s" name s
    | exception Invalid_argument _ -> ()
  in
  let over = 0x80000000 in
  refused "int32" (All3.make ~optional_int32:over ());
  refused "below int32" (All3.make ~optional_int32:(-over - 1) ());
  refused "sint32" (All3.make ~optional_sint32:over ());
  refused "sfixed32" (All3.make ~optional_sfixed32:over ());
  refused "uint32" (All3.make ~optional_uint32:(-1) ());
  refused "above uint32" (All3.make ~optional_uint32:(2 * over) ());
  refused "fixed32" (All3.make ~repeated_fixed32:[ 1; -1 ] ());
  refused "a map's key" (All3.make ~map_int32_int32:[ (over, 1) ] ());
  refused "a map's value" (All3.make ~map_uint32_uint32:[ (1, -1) ] ());
  refused "an enum" (All3.make ~optional_nested_enum:(All3.Nested_enum.Unrecognized over) ());
  let lasts seconds =
    All3.make ~repeated_duration:[ Weir_protobuf_types.Duration_pb.Duration.make ~seconds () ] ()
  in
  List.iter
    (fun seconds ->
      match All3.to_json (lasts seconds) with
      | s -> Alcotest.failf "duration: %s" s
      | exception (Invalid_argument _ | Error.Error _) -> ())
    [ Int64.min_int; -315576000001L; 315576000001L; Int64.max_int ];
  let edges =
    All3.make ~optional_int32:(-over) ~optional_sint32:(over - 1)
      ~repeated_uint32:[ 0; (2 * over) - 1 ]
      ()
  in
  Alcotest.(check bool) "the edges" true (all3 (All3.to_json edges) = edges)

let not_utf8 () =
  List.iter
    (fun (n, bad) ->
      for i = 0 to n do
        let s = String.make i 'a' ^ bad ^ String.make (n - i) 'b' in
        match All3.to_json (All3.make ~optional_string:s ()) with
        | text -> Alcotest.failf "%S was written" text
        | exception Invalid_argument _ -> ()
      done)
    (List.concat_map
       (fun n -> List.map (fun bad -> (n, bad)) [ "\x80"; "\xc3"; "\xed\xa0\x80"; "\xff" ])
       [ 0; 7; 20; 90 ])

let power n = int_of_string ("1" ^ String.make n '0')

let integers () =
  let near = List.concat_map (fun n -> [ power n - 1; power n; power n + 1 ]) in
  let some = 0 :: near (List.init 18 Fun.id) in
  let all = List.concat_map (fun v -> [ Int64.of_int v; Int64.of_int (-v) ]) some in
  let all = Int64.max_int :: Int64.min_int :: all in
  let m = All3.make ~repeated_int64:all ~repeated_uint64:all () in
  let text = All3.to_json m in
  let shown = String.concat "," (List.map (Printf.sprintf {|"%Ld"|}) all) in
  let unsigned = String.concat "," (List.map (Printf.sprintf {|"%Lu"|}) all) in
  Alcotest.(check string)
    "digits"
    (Printf.sprintf {|{"repeatedInt64":[%s],"repeatedUint64":[%s]}|} shown unsigned)
    text;
  Alcotest.(check bool) "there and back" true (all3 text = m);
  let one text = (all3 (Printf.sprintf {|{"optionalInt32":%s}|} text)).optional_int32 in
  List.iter
    (fun (text, v) -> Alcotest.(check int) text v (one text))
    [ ({|"12"|}, 12); ("1.2e1", 12); ("-0", 0); ("120e-1", 12); ({|"-2147483648"|}, -0x80000000) ];
  List.iter
    (fun text ->
      let text = Printf.sprintf {|{"optionalInt32":%s}|} text in
      Alcotest.(check bool) text true (Result.is_error (All3.of_json text)))
    [ "00"; "1.5"; "+1"; "-"; {|"1|}; {|"1 "|}; {|" 1"|}; {|""|}; "0x1"; "99999999999999999999"; "1e" ]
[@@ocamlformat "disable"]

let double_text x =
  let s = All3.to_json (All3.make ~repeated_double:[ x ] ()) in
  let from = String.length {|{"repeatedDouble":[|} in
  String.sub s from (String.length s - from - 2)

let decimals =
  QCheck2.Test.make ~name:"decimals are written as they are, and read as strtod reads them"
    ~count:5000
    QCheck2.Gen.(triple (int_bound 999_999_999_999_999) (int_bound 20) bool)
    (fun (digits, places, negative) ->
      let text = Printf.sprintf "%s%de-%d" (if negative then "-" else "") digits places in
      let x = float_of_string text in
      let shown = double_text x in
      let plain = Printf.sprintf "%.*f" places x in
      let again s = (all3 (Printf.sprintf {|{"repeatedDouble":[%s, %s ]}|} s s)).repeated_double in
      float_of_string shown = x
      && String.length shown <= String.length (Printf.sprintf "%.15g" x) + 3
      && again shown = [ x; x ]
      && again text = [ x; x ]
      && again plain = List.map float_of_string [ plain; plain ])

(* Any bits at all, and whether fewer digits would have done: not asked of whole
   numbers, which are written out, and of those with few bits left. *)
let shortest =
  QCheck2.Test.make ~name:"floats of all sizes have the fewest digits that read back" ~count:5000
    ~print:QCheck2.Print.(pair (Printf.sprintf "%h") (Printf.sprintf "%h"))
    QCheck2.Gen.(pair (map Int64.float_of_bits int64) (float_range (-1e3) 1e3))
    (fun (bits, near) ->
      let significant s =
        let mantissa = List.hd (String.split_on_char 'e' s) in
        let digits = String.concat "" (String.split_on_char '.' mantissa) in
        let rec strip s =
          let n = String.length s in
          if n > 1 && s.[n - 1] = '0' then strip (String.sub s 0 (n - 1))
          else if n > 1 && (s.[0] = '0' || s.[0] = '-') then strip (String.sub s 1 (n - 1))
          else s
        in
        String.length (strip digits)
      in
      let good ~most ~least ~round show x =
        let s = show x in
        let fewer = significant s - 1 in
        round (float_of_string s) = x
        && (Float.is_integer x || significant s <= most)
        && (Float.is_integer x
           || Float.abs x < least
           || fewer < 1
           || round (float_of_string (Printf.sprintf "%.*e" (fewer - 1) x)) <> x)
      in
      let single x = Int32.float_of_bits (Int32.bits_of_float x) in
      List.for_all
        (fun x ->
          (not (Float.is_finite x))
          || good ~most:17 ~least:1e-300 ~round:Fun.id Numbers.double x
             && ((not (Float.is_finite (single x)))
                || good ~most:9 ~least:1e-37 ~round:single Numbers.float (single x)))
        [ bits; near; Float.of_int (Float.to_int near); near *. 1e9; near /. 1e7; 2. ** near ])

let shown_doubles () =
  List.iter
    (fun (x, s) -> Alcotest.(check string) s s (double_text x))
    [
      (0., "0"); (-0., "-0.0"); (0.5, "0.5"); (-12345678.117, "-12345678.117"); (1e6, "1000000");
      (0.000001, "0.000001"); (999999999.999999, "999999999.999999"); (1.000001, "1.000001");
      (100.25, "100.25"); (0.1 +. 0.2, "0.30000000000000004"); (1234567890123.5, "1234567890123.5");
    ]
[@@ocamlformat "disable"]

(* One odd character at each place of strings of each length up to a few rounds of eight. *)
let strings () =
  let odd = [ "\""; "\\"; "\n"; "\000"; "\031"; "\127"; "é"; "€"; "😀" ] in
  let texts =
    List.concat_map
      (fun n ->
        List.concat_map
          (fun c -> List.init (n + 1) (fun i -> String.make i 'a' ^ c ^ String.make (n - i) 'b'))
          odd)
      [ 0; 1; 3; 4; 5; 7; 8; 9; 15; 16; 31; 32; 33; 47; 72; 130 ]
  in
  let m = All3.make ~repeated_string:texts () in
  let text = All3.to_json m in
  Alcotest.(check bool) "there and back" true ((all3 text).repeated_string = texts);
  let by_descriptor =
    Json_print.any_message (Codec.types All3.codec) (Codec.descriptor All3.codec) (All3.encode m)
  in
  Alcotest.(check string) "as by descriptor" by_descriptor text

let bad_strings () =
  let bad =
    [ "\n"; "\000"; "\x80"; "\xc3"; "\xc0\x80"; "\xe0\x80\x80"; "\xed\xa0\x80"; "\xf0\x80\x80\x80";
      "\xf4\x90\x80\x80"; "\xff"; "\\"; "\\x"; "\\u12"; "\\ud800"; "\\ud800\\u0020"; "\\udc00" ] in
  List.iter
    (fun n ->
      for i = 0 to n do
        List.iter
          (fun c ->
            let s = String.make i 'a' ^ c ^ String.make (n - i) ' ' in
            let text = Printf.sprintf {|{"optionalString":"%s"}|} s in
            match All3.of_json text with
            | Ok _ -> Alcotest.failf "%S was read" text
            | Error e -> Alcotest.(check (list string)) text [ "optional_string" ] e.path)
          bad
      done)
    [ 0; 7; 8; 40; 90 ]
[@@ocamlformat "disable"]

let cases =
  [
    Suite.case "names, their order and spelling" names;
    Suite.case "unknown names" unknown;
    Suite.case "a message of many fields" many;
    Suite.case "what does not fit 32 bits is not written" range;
    Suite.case "what is not UTF-8 is not written" not_utf8;
    Suite.case "integers of each length" integers;
    Suite.case "doubles as they are shown" shown_doubles;
    Suite.qcheck decimals;
    Suite.qcheck shortest;
    Suite.case "strings with one odd character anywhere" strings;
    Suite.case "strings that are refused" bad_strings;
  ]
