(* What reading and its errors cost, counted in words. *)

open Weir_protobuf
open Weir_protobuf.Unsafe
module Suite = Weir_test.Suite
module Words = Weir_test.Words
module All3 = Test_messages_proto3_pb.Test_all_types_proto3
module All2 = Test_messages_proto2_pb.Test_all_types_proto2
module Arrays3 = Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3

(* {1 Errors in JSON} *)

let long_list last =
  let b = Buffer.create 1_000_000 in
  Buffer.add_string b {|{"recursiveMessage":{"repeatedString":[|};
  for i = 0 to 99_999 do
    Printf.bprintf b {|"%06d",|} i
  done;
  Printf.bprintf b {|"x"],"optionalInt32":%s}}|} last;
  Buffer.contents b

(* As much as the same text without the error, and no more for the report. *)
let error_report () =
  let check name decode =
    let good = long_list "17" and bad = long_list "\"no number\"" in
    let read = Words.allocated (fun () -> decode good) in
    let failed = Words.allocated (fun () -> decode bad) in
    if failed > read +. 1000. then
      Alcotest.failf "%s: %.0f words to fail, %.0f to succeed" name failed read;
    match decode bad with
    | Ok () -> Alcotest.fail "was read"
    | Error (e : Error.t) ->
        Alcotest.(check (list string)) name [ "recursive_message"; "optional_int32" ] e.path
  in
  check "proto3" (fun s -> Result.map ignore (All3.of_json s));
  check "proto2" (fun s -> Result.map ignore (All2.of_json s))

(* {1 Depth} *)

let varint n =
  let b = Buffer.create 5 in
  let rec go n =
    if n < 128 then Buffer.add_uint8 b n
    else (
      Buffer.add_uint8 b (n land 127 lor 128);
      go (n lsr 7))
  in
  go n;
  Buffer.contents b

(* recursive_message is field 27, optional_string 14. *)
let block tag s = tag ^ varint (String.length s) ^ s
let recursive s = block "\xda\x01" s
let text n = block "\x72" (String.make n 'x')

(* Each level has three pieces: almost all of it, and nothing before and behind. *)
let pieces depth n =
  let rec around depth s =
    if depth = 0 then s else around (depth - 1) (recursive "" ^ recursive s ^ recursive "")
  in
  around depth (text n)

let pieces_within_pieces () =
  let s = pieces 90 500_000 in
  let bytes = String.length s in
  Words.check_small "90 levels of pieces" ~bytes (fun () ->
      match All3.decode s with
      | Ok _ -> Alcotest.fail "were read"
      | Error e -> Alcotest.(check string) "why" "nested too deeply" e.reason);
  let read ?max_depth s = Result.is_ok (Codec.decode ?max_depth All3.codec s) in
  Alcotest.(check bool) "8 levels" true (read (pieces 8 500_000));
  Alcotest.(check bool) "a small message" true (read (pieces 90 1000));
  Alcotest.(check bool) "on request" true (read ~max_depth:1000 (pieces 90 500_000));
  (* Shrinking by thirds they are few bytes in all. *)
  let rec thirds depth n =
    if depth = 0 then ""
    else recursive "" ^ recursive (thirds (depth - 1) (n / 3) ^ text n) ^ recursive ""
  in
  Alcotest.(check bool) "thirds" true (read (thirds 60 200_000))

(* An Any whose type stands behind its contents, in which it is so again. *)
let any_within_any () =
  let rec around depth s =
    if depth = 0 then s
    else
      around (depth - 1)
        (Printf.sprintf
           {|{"optionalAny":%s,"@type":"type.googleapis.com/protobuf_test_messages.proto3.TestAllTypesProto3"}|}
           s)
  in
  let long depth =
    {|{"optionalAny":|}
    ^ around depth
        (Printf.sprintf
           {|{"optionalString":"%s","@type":"type.googleapis.com/protobuf_test_messages.proto3.TestAllTypesProto3"}|}
           (String.make 100_000 'x'))
    ^ "}"
  in
  Alcotest.(check bool) "8 levels" true (Result.is_ok (All3.of_json (long 8)));
  match All3.of_json (long 40) with
  | Ok _ -> Alcotest.fail "40 levels"
  | Error e -> Alcotest.(check string) "why" "nested too deeply" e.reason

(* {1 What no writer may raise for} *)

let bytes_in_strings () =
  let ok = function Ok v -> v | Error e -> Alcotest.failf "%s" (Error.to_string e) in
  (* optional_string 14, map_string_string 69. *)
  let m = ok (All2.decode "\x72\x04a\xff\xc3b\xaa\x04\x06\x0a\x01\xff\x12\x01\xfe") in
  let json = ok (Json.try_encode All2.codec m) in
  Alcotest.(check string)
    "JSON"
    "{\"optionalString\":\"a\u{fffd}\u{fffd}b\",\"mapStringString\":{\"\u{fffd}\":\"\u{fffd}\"}}"
    json;
  ignore (ok (All2.of_json json));
  Alcotest.(check bool) "text" true (All2.of_text (All2.to_text m) = Ok m)

let any ~url ~value =
  All3.make ~optional_any:(Weir_protobuf_types.Any_pb.Any.make ~type_url:url ~value ()) ()

let all3_url = "type.googleapis.com/protobuf_test_messages.proto3.TestAllTypesProto3"

let unreadable () =
  let text what m want =
    let s = Text.encode ~unknown:true All3.codec m in
    if not (String.starts_with ~prefix:want s) then Alcotest.failf "%s: %s" what s;
    ignore (All3.to_text m)
  in
  let refused what m =
    match Json.try_encode All3.codec m with Ok s -> Alcotest.failf "%s: %s" what s | Error _ -> ()
  in
  let each what m want =
    text what m want;
    refused what m
  in
  let fields = "optional_any {\n  type_url: \"" in
  each "contents cut off" (any ~url:all3_url ~value:"\x72\x05ab") fields;
  each "a message in it cut off" (any ~url:all3_url ~value:(recursive "\x72\x05ab")) fields;
  each "a string in it" (any ~url:all3_url ~value:"\x72\x01\xff") "optional_any {\n  [";
  let rec around n s = if n = 0 then s else around (n - 1) (recursive s) in
  each "nested too deeply" (any ~url:all3_url ~value:(around 150 "")) fields;
  text "a URL with a line end" (any ~url:("x]\n/" ^ all3_url) ~value:"") fields;
  refused "a timestamp out of range"
    (All3.make
       ~optional_timestamp:
         (Weir_protobuf_types.Timestamp_pb.Timestamp.make ~seconds:Int64.max_int ())
       ());
  (* An extension that its type does not allow: 120 of All2's, a string; 121, of another wire type. *)
  let ok = function Ok v -> v | Error e -> Alcotest.failf "%s" (Error.to_string e) in
  List.iter
    (fun s ->
      let m = ok (All2.decode s) in
      ignore (All2.to_text m);
      ignore (Text.encode ~unknown:true All2.codec m);
      ignore (Json.try_encode All2.codec m))
    [ "\xc0\x07\x01"; "\xc2\x07\x02\x72\x05"; "\xc2\x07\x01\xff"; "\xc8\x07\x05" ]

(* {1 The smallest elements}

   A byte may stand for a list's cell, a boxed number, a record. Whatever is in a megabyte, reading takes
   at most 16 times that and 1 MB: what would take more is refused before, and read on request. *)

let repeat n s = String.concat "" (List.init (n / String.length s) (fun _ -> s))
let limit_reached = Unfolding.limit_reached

type format = {
  read : ?memory:int -> string -> (unit, Error.t) result;
  make : int -> string -> string;  (** so many bytes of an element *)
}

let binary_of codec =
  { read = (fun ?memory s -> Result.map ignore (Codec.decode ?memory codec s)); make = repeat }

let binary = binary_of All3.codec
let blocks binary tag = { binary with make = (fun n s -> block tag (repeat n s)) }
let packed = blocks binary

let json codec before behind =
  {
    read = (fun ?memory s -> Result.map ignore (Json.decode ?memory codec s));
    make = (fun n s -> before ^ repeat n (s ^ ",") ^ s ^ behind);
  }

let member_of codec name = json codec (Printf.sprintf {|{"%s":[|} name) "]}"
let member = member_of All3.codec

let check whole (what, f, element) =
  let s = f.make 1_000_000 element in
  let bytes = String.length s in
  Words.check_small what ~bytes (fun () ->
      match f.read s with
      | Ok _ -> if not whole then Alcotest.failf "%s: read" what
      | Error e ->
          if whole || e.reason <> limit_reached then
            Alcotest.failf "%s: %s" what (Error.to_string e));
  let ok ?memory s = Result.is_ok (f.read ?memory s) in
  if not (ok ~memory:max_int s) then Alcotest.failf "%s: refused on request" what;
  if not (ok (f.make 2_000 element)) then Alcotest.failf "%s: refused though short" what

(* What is read of a megabyte, and what is too much. *)
let elements () =
  List.iter (check true)
    [
      ("packed int32 of two bytes", packed "\xfa\x01", "\x80\x01");
      ("packed doubles", packed "\xd2\x02", "\001\001\001\001\001\001\001\001");
      ("empty strings", binary, "\xe2\x02\000");
      ("small strings", binary, "\xe2\x02\003abc");
      ("unpacked int64", binary, "\x80\x02\001");
      ("unknown fields", binary, "\xc0\x3e\001");
      ("a field again and again", binary, "\x08\001");
      ("JSON, numbers", member "repeatedInt32", "0");
      ("JSON, wide numbers", member "repeatedInt64", "0");
      ("JSON, enums", member "repeatedNestedEnum", "0");
      ("JSON, strings", member "repeatedString", {|""|});
    ];
  List.iter (check false)
    [
      ("packed booleans", packed "\xda\x02", "\001");
      ("packed int32", packed "\xfa\x01", "\001");
      ("packed int64", packed "\x82\x02", "\x80\x01");
      ("packed enums", packed "\x9a\x03", "\003");
      ("blocks of eight numbers", binary, "\xfa\x01\008\001\001\001\001\001\001\001\001");
      ("messages of two fields", binary, "\x82\x03\000");
      ("entries of a map", binary, "\xc2\x03\000");
      ("JSON, messages", member "repeatedNestedMessage", "{}");
    ]

(* The same bytes as arrays and slices: a number of one byte takes one word. *)
let arrays () =
  let binary = binary_of Arrays3.codec and member = member_of Arrays3.codec in
  let packed = blocks binary in
  let twice tag = { binary with make = (fun n s -> block tag (repeat n s) ^ block tag s) } in
  List.iter (check true)
    [
      ("packed booleans", packed "\xda\x02", "\001");
      ("packed int32", packed "\xfa\x01", "\001");
      ("packed int64", packed "\x82\x02", "\x80\x01");
      ("packed doubles", packed "\xd2\x02", "\001\001\001\001\001\001\001\001");
      ("packed int32, and one more", twice "\xfa\x01", "\x80\x80\x01");
      ("empty strings", binary, "\xe2\x02\000");
      ("small strings", binary, "\xe2\x02\003abc");
      ("long strings", binary, "\xe2\x02\x64" ^ String.make 100 'a');
      ("JSON, fixed numbers", member "repeatedFixed32", "0");
    ];
  List.iter (check false)
    [
      ("packed int32 of one byte, and one more", twice "\xfa\x01", "\001");
      ("blocks of four numbers", binary, "\xfa\x01\004\001\001\001\001");
      ("a message and an array in it", binary, "\xda\x01\004\x82\x02\001\001");
      ("messages of two fields", binary, "\x82\x03\000");
    ]

(* Some of each, in runs of any length. *)
let mixtures_of codec () =
  let rng = Random.State.make [| Suite.seed (); 21 |] in
  let parts =
    [|
      "\xda\x02\003\001\001\001";
      "\x82\x02\002\x80\x01";
      "\x82\x03\000";
      "\xc2\x03\000";
      "\xe2\x02\000";
      "\xe2\x02\002ab";
      "\xda\x01\000";
      "\xc0\x3e\001";
      "\x08\001";
      "\xfa\x01\001\001";
      "\x72\000";
      "\x9a\x03\002\003\001";
      "\xda\x01\003\x82\x03\000";
      "\x82\x13\002\x08\001";
    |]
  in
  let read = ref 0 in
  for _ = 1 to 40 do
    let b = Buffer.create 100_000 in
    let size = 1_000 lsl Random.State.int rng 10 in
    while Buffer.length b < size do
      let part = parts.(Random.State.int rng (Array.length parts)) in
      for _ = 0 to Random.State.int rng (1 + (size / 20)) do
        Buffer.add_string b part
      done
    done;
    let s = Buffer.contents b in
    Words.check_small "a mixture" ~bytes:(String.length s) (fun () ->
        match Codec.decode codec s with
        | Ok _ -> incr read
        | Error e -> Alcotest.(check string) "why" limit_reached e.reason)
  done;
  if !read = 0 || !read = 40 then Alcotest.failf "%d were read" !read

(* What these formats make on their way is not counted, what stays is. *)
let others () =
  let refused what (result : (_, Error.t) result) =
    match result with
    | Error { reason; _ } when reason = limit_reached -> ()
    | Error e -> Alcotest.failf "%s: %s" what (Error.to_string e)
    | Ok _ -> Alcotest.failf "%s: read" what
  in
  refused "JSON, values" (All3.of_json ((member "repeatedValue").make 1_000_000 "0"));
  let blocks = repeat 2_000_000 "repeated_nested_message{}" in
  refused "text" (Text.decode ~memory:500_000 All3.codec blocks);
  if not (Result.is_ok (All3.of_text blocks)) then Alcotest.fail "text, by default";
  let numbers = repeat 10_000 "\xfa\x01\001\001" in
  refused "numbers one by one, of little memory" (Codec.decode ~memory:1_000 All3.codec numbers);
  (* Numbers that a closed enum does not know are kept in one string, made once. *)
  let numbers = Printf.sprintf {|{"repeatedNestedEnum":[%s0]}|} (repeat 200_000 "99,") in
  let words = Words.allocated (fun () -> All2.of_json numbers) in
  if words > 20_000_000. then Alcotest.failf "%.0f words for unknown numbers" words

(* A limit of threads: sixty readers have a budget, others count first. *)
let many_readers () =
  let s = (packed "\xda\x02").make 1_000_000 "\001" in
  let rec within n =
    if n = 0 then Codec.decode All3.codec s
    else
      Budget.with_ ~left:1_000_000 ~message:1 ~byte:1
        ~recount:(fun _ _ -> 0)
        ~depth:100
        ~none:(fun () -> ())
        (fun _ -> within (n - 1))
  in
  List.iter
    (fun n ->
      match within n with
      | Error { reason; _ } when reason = limit_reached -> ()
      | _ -> Alcotest.failf "within %d" n)
    [ 0; 59; 60; 100 ];
  let small = (packed "\xda\x02").make 10_000 "\001" in
  if not (Result.is_ok (Codec.decode All3.codec small)) then Alcotest.fail "given back"

let cases =
  [
    Suite.case "the smallest elements" elements;
    Suite.case "mixtures of them" (mixtures_of All3.codec);
    Suite.case "arrays and slices" arrays;
    Suite.case "mixtures with arrays and slices" (mixtures_of Arrays3.codec);
    Suite.case "values and text" others;
    Suite.case "readers within readers" many_readers;
    Suite.case "an error in long JSON" error_report;
    Suite.case "pieces within pieces" pieces_within_pieces;
    Suite.case "an Any within an Any" any_within_any;
    Suite.case "bytes in proto2's strings" bytes_in_strings;
    Suite.case "what cannot be read in an Any" unreadable;
  ]
