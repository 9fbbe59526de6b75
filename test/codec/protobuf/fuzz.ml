(* Truncated and mutated inputs, each format: a documented error or a value. *)

open Weir_test
open Weir_protobuf
module All3 = Test_messages_proto3_pb.Test_all_types_proto3

let message =
  All3.make ~optional_int32:(-5) ~optional_string:"text" ~optional_bytes:"\000\255"
    ~optional_double:1.5 ~repeated_int32:[ 1; 300; -1 ] ~unpacked_fixed32:[ 7; 8 ]
    ~optional_nested_message:(All3.Nested_message.make ~a:1 ())
    ~repeated_nested_message:[ All3.Nested_message.make (); All3.Nested_message.make ~a:3 () ]
    ~map_string_string:[ ("k", "v"); ("é", "\n\"") ]
    ~map_int32_double:[ (3, 0.1) ]
    ~oneof_field:(All3.Oneof_enum All3.Nested_enum.Bar)
    ~optional_timestamp:(Weir_protobuf_types.Timestamp_pb.Timestamp.make ~seconds:1L ~nanos:20 ())
    ~repeated_duration:[ Weir_protobuf_types.Duration_pb.Duration.make ~seconds:(-3L) () ]
    ~optional_field_mask:(Weir_protobuf_types.Field_mask_pb.Field_mask.make ~paths:[ "a_b.c" ] ())
    ()

type format = { name : string; bytes : string; read : string -> (string, Error.t) result }

let formats =
  let c = All3.codec in
  let again r = Result.map (fun m -> Codec.encode c m) r in
  [
    { name = "binary"; bytes = Codec.encode c message; read = (fun s -> again (Codec.decode c s)) };
    { name = "JSON"; bytes = Json.encode c message; read = (fun s -> again (Json.decode c s)) };
    { name = "text"; bytes = Text.encode c message; read = (fun s -> again (Text.decode c s)) };
  ]

let round_trips () =
  List.iter
    (fun f ->
      match f.read f.bytes with
      | Ok bytes -> Alcotest.(check string) f.name (Codec.encode All3.codec message) bytes
      | Error e -> Alcotest.failf "%s: %s" f.name (Error.to_string e))
    formats

let truncations () =
  List.iter
    (fun f ->
      for n = 0 to String.length f.bytes - 1 do
        match f.read (String.sub f.bytes 0 n) with
        | Ok _ -> ()
        | Error e ->
            if e.position < 0 || e.position > n then
              Alcotest.failf "%s: position %d of %d bytes" f.name e.position n
      done)
    formats

let mutate random s =
  let b = Bytes.of_string s in
  for _ = 0 to Random.State.int random 4 do
    Bytes.set b (Random.State.int random (Bytes.length b)) (Char.chr (Random.State.int random 256))
  done;
  Bytes.to_string b

(* What is read must write, and read back as the same: decoding is a normal form. *)
let mutations () =
  let random = Random.State.make [| 4 |] in
  for _ = 1 to Suite.iterations 20_000 do
    List.iter
      (fun f ->
        let s = mutate random f.bytes in
        match f.read s with
        | Error _ -> ()
        | Ok bytes -> (
            match All3.decode bytes with
            | Ok m when String.equal (All3.encode m) bytes -> ()
            | Ok _ -> Alcotest.failf "%s: %S is no normal form" f.name s
            | Error e -> Alcotest.failf "%s: %S: %s" f.name s (Error.to_string e))
        | exception e -> Alcotest.failf "%s: %S: %s" f.name s (Printexc.to_string e))
      formats
  done

let by_descriptor (c : _ Codec.t) s =
  let lexer = Json_lexer.of_string s in
  let b = Buffer.create 256 in
  match
    Json_parse.message c.types ~ignore_unknown:false lexer c.descriptor ~depth:Codec.max_depth b;
    Json_lexer.finish lexer
  with
  | () -> Codec.decode c (Buffer.contents b)
  | exception Error.Error e -> Error e

let marks = {|{}[],:"\ntfu0123456789.-+eE |} ^ "\n\t\000\xc3\xa9"

(* A few other characters, one more or one less. *)
let mutated_json random text =
  let mark () = marks.[Random.State.int random (String.length marks)] in
  let b = Bytes.of_string text in
  for _ = 0 to Random.State.int random 3 do
    Bytes.set b (Random.State.int random (Bytes.length b)) (mark ())
  done;
  let s = Bytes.to_string b and at = Random.State.int random (Bytes.length b) in
  let rest = String.sub s at (String.length s - at) in
  match Random.State.int random 3 with
  | 0 -> String.sub s 0 at ^ String.make 1 (mark ()) ^ rest
  | 1 -> String.sub s 0 at ^ String.sub rest 1 (String.length rest - 1)
  | _ -> s

(* JSON is read in two ways: they must agree. *)
let two_ways codec message () =
  let random = Random.State.make [| 5 |] in
  let text = Json.encode codec message in
  for _ = 1 to Suite.iterations 10_000 do
    let s = mutated_json random text in
    match (Json.decode codec s, by_descriptor codec s) with
    | Ok a, Ok b when String.equal (Codec.encode codec a) (Codec.encode codec b) -> ()
    | Error a, Error b when a = b -> ()
    | Ok _, _ -> Alcotest.failf "%S is read only directly, or as another message" s
    | Error e, _ -> Alcotest.failf "%S: %s" s (Error.to_string e)
  done

let hostile () =
  let words f =
    let before = Gc.allocated_bytes () in
    ignore (Sys.opaque_identity (f ()));
    Gc.allocated_bytes () -. before
  in
  let check name s =
    let used = words (fun () -> All3.decode s) in
    if used > (32. *. float_of_int (String.length s)) +. 4096. then
      Alcotest.failf "%s: %.0f bytes for %d" name used (String.length s)
  in
  check "a length of gigabytes" "\x72\xff\xff\xff\xff\x07";
  check "packed ones" ("\xfa\x01\xa0\x8d\x06" ^ String.make 100_000 '\001');
  check "unknown fields" (String.concat "" (List.init 20_000 (fun _ -> "\xc0\x3e\001\x08\001")))

let cases =
  [
    Suite.case "a message comes back from each format" round_trips;
    Suite.case "every truncation" truncations;
    Suite.case "mutated inputs" mutations;
    Suite.case "JSON directly and by descriptor: the same, of many fields"
      (two_ways All3.codec message);
    Suite.case "the same of few" (two_ways Sample_pb.Address_book.codec Sample_data.book);
    Suite.case "memory stays within a multiple of the input" hostile;
  ]
