(* Fields that a schema does not have, by each option of the plugin. *)

open Weir_test
open Weir_protobuf
module Hidden = Weir_hidden_messages
module Drop = Weir_drop_messages

let ok = Fast_json.ok
let more = "\xc0\x3e\x01"

(* Of the three the same JSON, the same reading of any, and by keep and hidden the same bytes. *)
let agree name kept hidden dropped () =
  let random = Random.State.make [| 12 |] in
  let again c s = Result.map (Json.try_encode c) (Json.decode c s) in
  for _ = 1 to Suite.iterations 500 do
    let bytes = Fast_json.message random (Codec.descriptor kept) ~depth:3 ^ more in
    let a = ok (Codec.decode kept bytes) and b = ok (Codec.decode hidden bytes) in
    let c = ok (Codec.decode dropped bytes) in
    Alcotest.(check string) name (Codec.encode kept a) (Codec.encode hidden b);
    match Json.try_encode kept a with
    | Error _ -> ()
    | Ok json ->
        Alcotest.(check string) (name ^ ", hidden") json (ok (Json.try_encode hidden b));
        Alcotest.(check string) (name ^ ", dropped") json (ok (Json.try_encode dropped c));
        let text = Fuzz.mutated_json random json in
        let read = again kept text in
        if again hidden text <> read || again dropped text <> read then
          Alcotest.failf "%s: %S is read as something else" name text
  done

let three_ways () =
  let hidden = ok (Hidden.Plain_pb.Point.decode ("\009\000\000\000\000\000\000\240\063" ^ more)) in
  Alcotest.(check string) "hidden" more (Unknown.to_string hidden.unknown');
  Alcotest.(check bool)
    "written again" true
    (String.ends_with ~suffix:more (Hidden.Plain_pb.Point.encode hidden));
  let dropped = ok (Drop.Plain_pb.Point.decode (Hidden.Plain_pb.Point.encode hidden)) in
  Alcotest.(check bool) "a plain record" true (dropped = { x = 1.; y = 0. });
  Alcotest.(check int) "is not written" 9 (String.length (Drop.Plain_pb.Point.encode dropped));
  match Drop.Plain_pb.Point.decode "\xc0\x3e" with
  | Error _ -> ()
  | Ok _ -> Alcotest.fail "what is dropped must be whole"

(* A record of floats is flat, one of no fields is unit. *)
let odd_records () =
  let open Drop.Plain_pb in
  let p : Point.t = { x = 1.5; y = -0. } in
  List.iter
    (fun (name, again) ->
      match again with
      | Ok m when compare m p = 0 && 1. /. m.Point.y < 0. -> ()
      | Ok _ -> Alcotest.failf "%s: another" name
      | Error e -> Alcotest.failf "%s: %s" name (Error.to_string e))
    [
      ("binary", Point.decode (Point.encode p));
      ("JSON", Point.of_json (Point.to_json p));
      ("text", Point.of_text (Point.to_text p));
    ];
  Alcotest.(check string) "flat" {|{"x":1.5,"y":-0.0}|} (Point.to_json p);
  Alcotest.(check string) "unit" "{}" (Empty.to_json ());
  Alcotest.(check string) "no bytes" "" (Empty.encode ());
  Alcotest.(check bool) "read" true (Empty.of_json "{}" = Ok () && Empty.decode more = Ok ());
  Alcotest.(check bool) "by name" true (Result.is_error (Empty.of_json {|{"a":1}|}))

(* They stand among unknown fields, which such a message keeps. *)
let extensions () =
  let open Drop.Test_messages_proto2_pb in
  let m = Extension.set extension_int32 Test_all_types_proto2.default (Some 5) in
  let m = ok (Test_all_types_proto2.decode (Test_all_types_proto2.encode m)) in
  Alcotest.(check int) "an extension" 5 (Extension.get extension_int32 m);
  let m = ok (Test_all_types_proto2.of_json (Test_all_types_proto2.to_json m)) in
  Alcotest.(check int) "through JSON" 5 (Extension.get extension_int32 m)

let cases =
  [
    Suite.case "hidden and dropped" three_ways;
    Suite.case "records of floats and of nothing" odd_records;
    Suite.case "extensions are never dropped" extensions;
    Suite.case "proto2: all agree"
      (agree "proto2" Test_messages_proto2_pb.Test_all_types_proto2.codec
         Hidden.Test_messages_proto2_pb.Test_all_types_proto2.codec
         Drop.Test_messages_proto2_pb.Test_all_types_proto2.codec);
    Suite.case "proto3: all agree"
      (agree "proto3" Test_messages_proto3_pb.Test_all_types_proto3.codec
         Hidden.Test_messages_proto3_pb.Test_all_types_proto3.codec
         Drop.Test_messages_proto3_pb.Test_all_types_proto3.codec);
  ]
