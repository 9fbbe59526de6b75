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
    Suite.case "memory stays within a multiple of the input" hostile;
  ]
