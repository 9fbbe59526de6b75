(* The binary format: edges, errors, limits, what is kept. *)

open Weir_test
open Weir_protobuf
open Weir_protobuf.Unsafe
module All2 = Test_messages_proto2_pb.Test_all_types_proto2
module All3 = Test_messages_proto3_pb.Test_all_types_proto3
module Required = Test_messages_proto2_pb.Test_all_required_types_proto2

let ok = function Ok m -> m | Error e -> Alcotest.fail (Error.to_string e)

let error name ~position ~path ~reason = function
  | Ok _ -> Alcotest.failf "%s: was accepted" name
  | Error (e : Error.t) ->
      Alcotest.(check int) (name ^ ": position") position e.position;
      Alcotest.(check (list string)) (name ^ ": path") path e.path;
      Alcotest.(check string) (name ^ ": reason") reason e.reason

let integers () =
  let edges = [ 0; 1; 127; 128; 16383; 16384; 0x1fffff; 0x200000; 0x7fffffff ] in
  let edges = edges @ List.map (fun n -> -n - 1) edges in
  let m = All3.make ~repeated_int32:edges ~repeated_sint32:edges ~packed_sfixed32:edges () in
  Alcotest.(check bool) "32 bits" true (ok (All3.decode (All3.encode m)) = m);
  let wide =
    List.concat_map
      (fun n -> [ Int64.shift_left 1L n; Int64.pred (Int64.shift_left 1L n) ])
      (List.init 64 Fun.id)
  in
  let m = All3.make ~repeated_int64:wide ~unpacked_sint64:wide ~repeated_fixed64:wide () in
  Alcotest.(check bool) "64 bits" true (ok (All3.decode (All3.encode m)) = m);
  let unsigned = [ 0; 0xffffffff; 0x80000000 ] in
  let m = All3.make ~repeated_uint32:unsigned ~repeated_fixed32:unsigned () in
  Alcotest.(check bool) "unsigned" true (ok (All3.decode (All3.encode m)) = m)

(* Every length and place that the copying writer treats differently; a bad byte
   in each. *)
let utf8_written () =
  for n = 0 to 200 do
    let text = String.init n (fun i -> Char.chr (97 + (i mod 26))) in
    let m = All3.make ~optional_string:text () in
    Alcotest.(check string) "ASCII" text (ok (All3.decode (All3.encode m))).optional_string;
    let wide = text ^ "\u{e9}\u{20ac}\u{10348}" ^ text in
    let m = All3.make ~optional_string:wide () in
    Alcotest.(check string) "not ASCII" wide (ok (All3.decode (All3.encode m))).optional_string;
    for at = 0 to n - 1 do
      let bad = String.mapi (fun i c -> if i = at then '\xc3' else c) text in
      (match All3.encode (All3.make ~repeated_string:[ "a"; bad ] ()) with
      | _ -> Alcotest.failf "%d bytes, not UTF-8 at %d, were written" n at
      | exception Invalid_argument _ -> ());
      let bytes = All3.encode (All3.make ~optional_bytes:bad ()) in
      Alcotest.(check string) "bytes" bad (ok (All3.decode bytes)).optional_bytes;
      (* Field 15, bytes, and field 14, a string, have tags that differ in a bit. *)
      let as_string = String.mapi (fun i c -> if i = 0 then '\x72' else c) bytes in
      match All3.decode as_string with
      | Ok _ -> Alcotest.failf "%d bytes, not UTF-8 at %d, were read" n at
      | Error e -> Alcotest.(check string) "reason" "string is not UTF-8" e.reason
    done
  done

let refused () =
  let raises m =
    match All3.encode m with
    | _ -> Alcotest.fail "an int that does not fit was written"
    | exception Invalid_argument _ -> ()
  in
  raises (All3.make ~optional_int32:0x80000000 ());
  raises (All3.make ~optional_uint32:(-1) ());
  raises (All3.make ~optional_sint32:min_int ());
  raises (All3.make ~optional_fixed32:(-1) ());
  raises (All3.make ~repeated_int32:[ 1; max_int ] ())

(* Where a length takes a byte more, alone and within other messages. *)
let lengths () =
  let check n =
    let text = String.make n 'x' in
    let inner = All3.Nested_message.make ~corecursive:(All3.make ~optional_string:text ()) () in
    let m =
      All3.make ~optional_string:text ~repeated_string:[ text; "" ] ~optional_bytes:text
        ~optional_nested_message:inner ()
    in
    let wire = All3.encode m in
    Alcotest.(check int) "its size" (Codec.size All3.codec m) (String.length wire);
    if ok (All3.decode wire) <> m then Alcotest.failf "texts of %d bytes" n
  in
  List.iter
    (fun border ->
      for n = border - 12 to border + 4 do
        check n
      done)
    [ 128; 0x4000; 0x200000 ]

let packed () =
  let values = [| 0; 127; 128; 16383; 16384; 0x7fffffff; -1; 5; 300 |] in
  for n = 0 to 24 do
    for first = 0 to Array.length values - 1 do
      let l = List.init n (fun i -> values.((first + (i * (1 + (first mod 3)))) mod 9)) in
      let m = All3.make ~repeated_int32:l () in
      if ok (All3.decode (All3.encode m)) <> m then Alcotest.failf "%d numbers from %d" n first
    done
  done

(* One text 2,049 times: the message would be of 2 GiB, nothing of it is made. *)
let two_gib () =
  let text = String.make 1_048_576 'x' in
  let m n = All3.make ~repeated_string:(List.init n (fun _ -> text)) () in
  let refused what f =
    match f () with
    | _ -> Alcotest.failf "%s was made" what
    | exception Invalid_argument e ->
        Alcotest.(check string) what "protobuf: message of more than 2,147,483,647 bytes" e
  in
  let large = m 2_048 in
  refused "a message" (fun () -> String.length (All3.encode large));
  refused "a message within bytes" (fun () ->
      Codec.encode_into All3.codec large (Bytes.create 10) ~pos:0);
  let within = All3.make ~recursive_message:large () in
  refused "one within another" (fun () -> String.length (All3.encode within));
  let extension =
    Extension.optional
      {
        extendee = "x";
        extension_name = "x.y";
        field = List.hd (Codec.descriptor All3.codec).fields;
      }
      ~unknown:(fun (m : All2.t) -> m.unknown_fields)
      ~with_unknown:(fun (m : All2.t) unknown_fields -> { m with unknown_fields })
      (Extension.message All3.codec)
  in
  refused "an extension" (fun () ->
      Codec.size All2.codec (Extension.set extension All2.default (Some large)))

let errors () =
  let decode = All3.decode in
  error "no value" ~position:1 ~path:[ "optional_int32" ] ~reason:"truncated" (decode "\x08");
  error "length" ~position:1 ~path:[ "optional_string" ] ~reason:"length beyond the end"
    (decode "\x72\x05abc");
  error "text" ~position:2 ~path:[ "optional_string" ] ~reason:"string is not UTF-8"
    (decode "\x72\x02\xc3\x28");
  error "nested" ~position:6
    ~path:[ "optional_nested_message"; "corecursive"; "optional_int32" ]
    ~reason:"truncated"
    (decode "\x92\x01\x03\x12\x01\x08");
  error "number 0" ~position:1 ~path:[] ~reason:"illegal field number" (decode "\x00\x00");
  error "stray end" ~position:1 ~path:[ "optional_int32" ]
    ~reason:"end of a group that did not begin" (decode "\x0c");
  error "eleven bytes" ~position:1 ~path:[ "optional_int32" ] ~reason:"number longer than ten bytes"
    (decode ("\x08" ^ String.make 11 '\xff'))

let required () =
  match Required.decode "" with
  | Ok _ -> Alcotest.fail "required fields were missed"
  | Error e -> Alcotest.(check string) "which" "required field required_int32 is missing" e.reason

let rec nested n =
  if n = 0 then ""
  else
    let inner = nested (n - 1) in
    let b = Buffer.create 16 in
    Wire_buffer.tag b 27 2;
    Wire_buffer.block b inner;
    Buffer.contents b

let depth () =
  Alcotest.(check bool) "100 deep" true (Result.is_ok (All3.decode (nested 100)));
  (match All3.decode (nested 101) with
  | Ok _ -> Alcotest.fail "101 deep was accepted"
  | Error e -> Alcotest.(check string) "101 deep" "nested too deeply" e.reason);
  let groups = String.concat "" (List.init 100_000 (fun _ -> "\xc3\x3e")) in
  match All3.decode groups with
  | Ok _ -> Alcotest.fail "groups without end were accepted"
  | Error e -> Alcotest.(check string) "unknown groups" "nested too deeply" e.reason

let unknown () =
  let foreign =
    Test_messages_proto2_pb.Unknown_to_test_all_types.(
      encode
        (make ~optional_int32:7 ~optional_string:"x" ~repeated_int32:[ 1; 2 ]
           ~optionalgroup:(Optional_group.make ~a:9 ()) ()))
  in
  let m = ok (All3.decode foreign) in
  Alcotest.(check string) "kept" foreign m.unknown_fields;
  Alcotest.(check string) "written back" foreign (All3.encode m);
  let known = All3.make ~optional_int32:1 () in
  let both = ok (All3.decode (foreign ^ All3.encode known ^ foreign)) in
  Alcotest.(check string) "in order" (foreign ^ foreign) both.unknown_fields;
  let m = ok (All2.decode "\xa8\x01\x2a") in
  Alcotest.(check bool) "closed enum stays unset" true (m.optional_nested_enum = None);
  Alcotest.(check string) "and its value is kept" "\xa8\x01\x2a" (All2.encode m)

let merging () =
  let a =
    All3.make ~optional_int32:1 ~repeated_int32:[ 1 ]
      ~optional_nested_message:(All3.Nested_message.make ~a:5 ())
      ~map_int32_int32:[ (1, 1); (2, 2) ]
      ~oneof_field:(All3.Oneof_uint32 1) ()
  in
  let b =
    All3.make ~optional_string:"b" ~repeated_int32:[ 2; 3 ]
      ~optional_nested_message:
        (All3.Nested_message.make ~corecursive:(All3.make ~optional_int32:8 ()) ())
      ~map_int32_int32:[ (1, 9) ]
      ~oneof_field:(All3.Oneof_string "s") ()
  in
  let m = ok (All3.decode (All3.encode a ^ All3.encode b)) in
  Alcotest.(check bool) "merge is decoding both" true (Codec.merge All3.codec a b = m);
  Alcotest.(check (list int)) "lists append" [ 1; 2; 3 ] m.repeated_int32;
  Alcotest.(check (list (pair int int))) "last key wins" [ (2, 2); (1, 9) ] m.map_int32_int32;
  Alcotest.(check bool) "last case wins" true (m.oneof_field = Some (Oneof_string "s"));
  match m.optional_nested_message with
  | Some { a = 5; corecursive = Some { optional_int32 = 8; _ }; _ } -> ()
  | _ -> Alcotest.fail "messages merge"

let extensions () =
  let open Test_messages_proto2_pb in
  Alcotest.(check int) "absent: the default" 0 (Extension.get extension_int32 All2.default);
  let m = Extension.set extension_int32 (All2.make ~optional_int32:1 ()) (Some 42) in
  let m = ok (All2.decode (All2.encode m)) in
  Alcotest.(check int) "get" 42 (Extension.get extension_int32 m);
  Alcotest.(check (option int)) "find" (Some 42) (ok (Extension.find extension_int32 m));
  let m = { m with unknown_fields = "\xff" } in
  Alcotest.(check int) "no fields at all" 0 (Extension.get extension_int32 m);
  Alcotest.(check bool) "which find tells" true (Result.is_error (Extension.find extension_int32 m));
  let m = { m with unknown_fields = "" } in
  let m = Extension.set groupfield m (Some (Group_field.make ~group_int32:3 ())) in
  (match ok (Extension.get groupfield m) with
  | Some g -> Alcotest.(check (option int)) "in a group" (Some 3) g.group_int32
  | None -> Alcotest.fail "group extension");
  let m = Extension.set extension_int32 m None in
  Alcotest.(check (option int)) "unset" None (ok (Extension.find extension_int32 m))

(* Group 121 is given again and again, each time with a field that it does not know. *)
let merged_extension () =
  let open Test_messages_proto2_pb in
  let n = 20_000 in
  let again = "\xcb\x07\xc0\x3e\x01\xcc\x07" and number = "\xcb\x07\xd0\x07\x05\xcc\x07" in
  let s = number ^ String.concat "" (List.init n (fun _ -> again)) in
  let m = ok (All2.decode s) in
  let before = Gc.allocated_bytes () in
  let group = Option.get (ok (Extension.get groupfield m)) in
  let used = Gc.allocated_bytes () -. before in
  Alcotest.(check (option int)) "the first" (Some 5) group.group_int32;
  Alcotest.(check int) "the others" (3 * n) (String.length group.unknown_fields);
  if used > 64. *. float_of_int (String.length s) then
    Alcotest.failf "%.0f bytes for %d" used (String.length s)

let message_sets () =
  let open All2 in
  let x = Message_set_correct_extension1.message_set_extension in
  let value = Message_set_correct_extension1.make ~str:"x" () in
  let set = Extension.set x Message_set_correct.default (Some value) in
  Alcotest.(check string)
    "an item" "\x0b\x10\xf9\xbb\x5e\x1a\x04\xca\x01\x01x\x0c" (Message_set_correct.encode set);
  let same name = function
    | Ok m ->
        Alcotest.(check bool) name true (Extension.get_exn x m = Some value);
        Alcotest.(check bool) (name ^ ", the same bytes") true (m = set)
    | Error e -> Alcotest.failf "%s: %s" name (Error.to_string e)
  in
  same "binary" (Message_set_correct.decode (Message_set_correct.encode set));
  same "JSON" (Message_set_correct.of_json (Message_set_correct.to_json set));
  same "text" (Message_set_correct.of_text (Message_set_correct.to_text set))

let defaults () =
  Alcotest.(check int) "int32" (-123456789) (All2.get_default_int32 All2.default);
  Alcotest.(check string) "string" "Rosebud" (All2.get_default_string All2.default);
  Alcotest.(check bool)
    "uint64" true
    (All2.get_default_uint64 All2.default = Int64.of_string "0u10123456789123456789")

let cases =
  [
    Suite.case "text is UTF-8, written and read, at every length" utf8_written;
    Suite.case "integers at the edges of their sizes" integers;
    Suite.case "an int that does not fit is refused" refused;
    Suite.case "lengths at the edges of their sizes" lengths;
    Suite.case "packed numbers, any count and mixture" packed;
    Suite.case "a message of 2 GiB is refused" two_gib;
    Suite.case "errors say where" errors;
    Suite.case "required fields are asked for" required;
    Suite.case "nesting is limited, known and unknown" depth;
    Suite.case "unknown fields are kept" unknown;
    Suite.case "merging" merging;
    Suite.case "extensions" extensions;
    Suite.case "an extension merged 20,000 times costs what it is long" merged_extension;
    Suite.case "message sets" message_sets;
    Suite.case "defaults" defaults;
  ]
