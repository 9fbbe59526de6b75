open Shapes
open Weir_test
module C = Weir_protobuf.Codec

let of_hex s =
  let s = String.concat "" (String.split_on_char ' ' s) in
  String.init
    (String.length s / 2)
    (fun i -> Char.chr (int_of_string ("0x" ^ String.sub s (2 * i) 2)))

let hex s =
  String.concat ""
    (List.map (fun c -> Printf.sprintf "%02x" (Char.code c)) (List.of_seq (String.to_seq s)))

let same codec value bytes () =
  let bytes = of_hex bytes in
  Alcotest.(check string) "written" (hex bytes) (hex (C.encode codec value));
  match C.decode codec bytes with
  | Ok v -> Alcotest.(check bool) "read" true (v = value)
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

(* Read, and not written so. *)
let reads codec bytes value () =
  match C.decode codec (of_hex bytes) with
  | Ok v -> Alcotest.(check bool) "read" true (v = value)
  | Error e -> Alcotest.fail (Weir_protobuf.Error.to_string e)

let case name f = Suite.case name f
let rs = { r1a = 300; r1b = "spartans" }
let spartans = "08ac02 12087370617274616e73"

let scalars =
  [
    case "bool" (same b_protobuf true "0801");
    case "int, varint" (same i1_protobuf 300 "08ac02");
    case "int, negative varint" (same i1_protobuf (-1) "08ffffffffffffffffff01");
    case "int, greatest" (same i1_protobuf max_int "08ffffffffffffffff3f");
    case "int, least" (same i1_protobuf min_int "0880808080808080 80c001");
    case "int, zigzag" (same i2_protobuf 150 "08ac02");
    case "int, zigzag, least" (same i2_protobuf min_int "08ffffffffffffffff7f");
    case "int, bits32" (same i3_protobuf 300 "0d2c010000");
    case "int, bits32, negative" (same i3_protobuf (-2) "0dfeffffff");
    case "int, bits64" (same i4_protobuf 300 "092c01000000000000");
    case "int32, varint" (same l1_protobuf 300l "08ac02");
    case "int32, zigzag" (same l2_protobuf 150l "08ac02");
    case "Int32.t" (same l3_protobuf 300l "0d2c010000");
    case "int32, bits64" (same l4_protobuf 300l "092c01000000000000");
    case "int64, varint" (same q1_protobuf 300L "08ac02");
    case "int64, zigzag" (same q2_protobuf 150L "08ac02");
    case "int64, bits32" (same q3_protobuf 300L "0d2c010000");
    case "Int64.t" (same q4_protobuf 300L "092c01000000000000");
    case "float, bits32" (same f1_protobuf 1.5 "0d0000c03f");
    case "float" (same f2_protobuf 1.5 "09000000000000f83f");
    case "string, any bytes" (same s_protobuf "a\xff" "0a0261ff");
    case "bytes" (same y_protobuf (Bytes.of_string "abc") "0a03616263");
    case "default, absent" (same d_protobuf 42 "");
    case "default, other" (same d_protobuf 1 "0801");
  ]

let containers =
  [
    case "option, none" (same o_protobuf None "");
    case "option, some" (same o_protobuf (Some 300) "08ac02");
    case "list, empty" (same li_protobuf [] "");
    case "list" (same li_protobuf [ 300; 42 ] "08ac02 082a");
    case "array" (same ai_protobuf [| 300; 42 |] "08ac02 082a");
    case "packed" (same p_protobuf [ 1; 2; 300 ] "0a04 01 02 ac02");
    case "packed, empty" (same p_protobuf [] "");
    case "packed in two blocks and one by itself"
      (reads p_protobuf "0a0101 0803 0a020405" [ 1; 3; 4; 5 ]);
    case "packed where it is not written so" (reads li_protobuf "0a03 2a ac02" [ 42; 300 ]);
    case "tuple" (same ts_protobuf (300, "spartans") spartans);
    case "record" (same r1_protobuf rs spartans);
    case "record, other order" (reads r1_protobuf "12087370617274616e73 08ac02" rs);
    case "record, unknown fields" (reads r1_protobuf ("1801 2201ff" ^ spartans ^ "2d00000000") rs);
    case "record, the last wins" (reads r1_protobuf ("0801 120141" ^ spartans) rs);
    case "message in a message" (same r2_protobuf { r2a = rs } ("0a0d" ^ spartans));
    case "message in a message, the last wins whole"
      (reads r2_protobuf ("0a05 0801 120141 0a0d" ^ spartans) { r2a = rs });
    case "tuple in a record"
      (same r3_protobuf { r3a = (300, "spartans") } "0a0f 0d2c010000 12087370617274616e73");
    case "the manual's"
      (same drawing_protobuf
         {
           name = "a";
           fill = Some Green;
           shapes = [ Circle 1.; Text { content = "b"; size = 12 } ];
           layers = [ 1; 2 ];
         }
         "0a0161 1002 1a0b 0801 11000000000000f03f 1a07 0803 2203 0a0162 22020102");
    case "fields are written by key"
      (same More.protobuf { More.pos = 1; s = "x"; limit' = 2 } "0801 120178 1802");
  ]

let variants =
  [
    case "constant" (same v1_protobuf V1B "0802");
    case "one argument" (same v1_protobuf (V1C 42) "0803 202a");
    case "two arguments" (same v1_protobuf (V1D ("foo", "bar")) "0804 2a0a 0a03666f6f 1203626172");
    case "payload before tag" (reads v1_protobuf "202a 0803" (V1C 42));
    case "bare" (same r4_protobuf { r4a = V2B } "0802");
    case "polymorphic, constant" (same v3_protobuf `V3A "0801");
    case "polymorphic, argument" (same v3_protobuf (`V3B 42) "0802 182a");
    case "polymorphic, two"
      (same v3_protobuf (`V3C ("abc", "def")) "0803 220a 0a03616263 1203646566");
    case "polymorphic in place" (same r6_protobuf { r6a = `R6B } "0a020802");
    case "polymorphic, bare" (same r7_protobuf { r7a = `V4A } "0801");
    case "polymorphic in place, bare" (same r8_protobuf { r8a = `Request; r8b = 42 } "0801 102a");
    case "argument an option" (same v5_protobuf (V5A (Some 42)) "0801 102a");
    case "argument no option" (same v5_protobuf (V5A None) "0801");
    case "argument a list" (same v5_protobuf (V5B [ "42"; "43" ]) "0802 1a023432 1a023433");
    case "argument an empty list" (same v5_protobuf (V5B []) "0802");
    case "argument an array" (same v5_protobuf (V5C [| 42; 43 |]) "0803 202a 202b");
    case "argument an array, packed" (reads v5_protobuf "0803 2202 2a2b" (V5C [| 42; 43 |]));
    case "large key" (same More.expression_protobuf More.Unit "08a09c01");
    case "inline record"
      (same More.expression_protobuf
         (More.Call { callee = "f"; arguments = [ Number 1.5 ] })
         "0803 2210 0a0166 120b 0801 11000000000000f83f");
  ]

let parameters =
  [
    case "parameter" (same (r5_protobuf i1_protobuf) { r5a = 1 } "0a020801");
    case "recursive parameter"
      (same (mylist_protobuf i1_protobuf)
         (Cons (1, Cons (2, Cons (3, Nil))))
         "0802 1a1c 0a020801 1216 0802 1a12 0a020802 120c 0802 1a08 0a020803 12020801");
    case "applied" (same r9_protobuf { r5a = 1 } "0a04 0a020801");
    case "scalar as an argument"
      (same
         (r5_protobuf Weir_protobuf.Unsafe.Derived.string_protobuf)
         { r5a = "abc" } "0a05 0a03616263");
    case "a tuple as an argument" (same a1_protobuf { r5a = (300, "x") } "0a08 0a06 08ac02 120178");
    case "a list and an option as arguments"
      (same a2_protobuf
         { a2a = { r5a = [ 1; 2 ] }; a2b = Cons (Some "s", Cons (None, Nil)) }
         "0a06 0a04 0801 0802 1215 0802 1a11 0a03 0a0173 120a 0802 1a06 0a00 1202 0801");
    case "a polymorphic variant as an argument"
      (same a3_protobuf { r5a = `A3B 7 } "0a06 0a04 0802 1807");
    case "an encoding in an argument" (same a6_protobuf { r5a = 5l } "0a04 0a02 0805");
    case "functor"
      (same More.Collected.protobuf
         { More.Collected.items = [ 7 ]; boxed = Some [ "x" ]; e = More.Element.B }
         "0a020807 1205 0a030a0178 1802");
  ]

let defaults =
  [
    case "all absent"
      (same More.settings_protobuf
         {
           More.level = 3;
           ratio = -0.5;
           title = "a \"b\"\n";
           on = true;
           colour = Green;
           most = 8;
           shape = `Square 4;
           raw = Bytes.of_string "xy";
           small = 7l;
           big = 8L;
         }
         "");
    case "all given"
      (same More.settings_protobuf
         {
           More.level = 0;
           ratio = 0.;
           title = "";
           on = false;
           colour = Blue;
           most = 9;
           shape = `Round;
           raw = Bytes.empty;
           small = -1l;
           big = 1L;
         }
         "0800 110000000000000000 1a00 2000 28ac02 3009 3a020801 4200 48ffffffffffffffffff01 \
          510100000000000000");
  ]

let groups =
  [
    ("scalars", scalars);
    ("containers", containers);
    ("variants", variants);
    ("parameters", parameters);
    ("defaults", defaults);
  ]
