(* Lists of packed numbers, short and long: what is packed must be what the same numbers with a tag
   each, written and read one by one, give. *)

open Weir_test
open Weir_protobuf
module Encode = Unsafe.Encode
module All3 = Test_messages_proto3_pb.Test_all_types_proto3

let lengths = [ 0; 1; 2; 11; 12; 13; 14; 31; 33; 247; 248; 249; 250; 1000; 70_000 ]

let random state =
  let v = Random.State.bits64 state in
  Int64.shift_right v (Random.State.int state 64)

let short v = Int32.to_int (Int64.to_int32 v)
let unsigned v = short v land 0xffffffff

let both () =
  let state = Random.State.make [| 5 |] in
  let trip n =
    let l = List.init n (fun _ -> random state) in
    let ints = List.map short l and uints = List.map unsigned l in
    let bools = List.map (fun v -> Int64.rem v 2L = 0L) l in
    let packed =
      All3.make ~packed_int32:ints ~packed_uint32:uints ~packed_sint32:ints ~packed_int64:l
        ~packed_sint64:l ~packed_bool:bools ()
    and plain =
      All3.make ~unpacked_int32:ints ~unpacked_uint32:uints ~unpacked_sint32:ints ~unpacked_int64:l
        ~unpacked_sint64:l ~unpacked_bool:bools ()
    in
    let bytes = All3.encode packed in
    let numbers = String.length (All3.encode plain) - (6 * 2 * n) in
    let heads = String.length bytes - numbers in
    Alcotest.(check bool) (string_of_int n ^ ": its length") true (heads >= 0 && heads <= 6 * 5);
    Alcotest.(check int) "its size" (String.length bytes) (Codec.size All3.codec packed);
    Alcotest.(check bool) (string_of_int n) true (All3.decode bytes = Ok packed)
  in
  List.iter trip lengths

(* A block of a list of int32 whose numbers are [bytes]. *)
let block bytes =
  let b = Bytes.create (String.length bytes + 10) in
  let stop = Bytes.length b in
  let start = Encode.bytes b stop ((75 lsl 3) lor 2) bytes in
  Bytes.sub_string b start (stop - start)

let refused () =
  let ones n = String.make n '\001' in
  let reason bytes = match All3.decode (block bytes) with Ok _ -> "read" | Error e -> e.reason in
  Alcotest.(check string) "good" "read" (reason (ones 600));
  Alcotest.(check string) "cut off" "truncated" (reason (ones 600 ^ "\128"));
  List.iter
    (fun at ->
      let bytes = ones at ^ String.make 10 '\255' ^ ones (600 - at) in
      Alcotest.(check string) (string_of_int at) "number longer than ten bytes" (reason bytes))
    [ 0; 100; 340; 350; 352; 355; 600 - 1 ];
  Alcotest.(check string)
    "one long one" "number longer than ten bytes"
    (reason (String.make 600 '\255' ^ "\001"));
  Alcotest.check_raises "out of range" (Invalid_argument "protobuf: 2147483648 does not fit int32")
    (fun () ->
      ignore (All3.encode (All3.make ~packed_int32:(List.init 100 (fun _ -> 1 lsl 31)) ())))

(* What has no room is counted, at each room, and no byte before it is written. *)
let rooms () =
  let m =
    All3.make ~optional_string:(String.make 40 'x') ~packed_int32:(List.init 50 Fun.id)
      ~packed_sint64:(List.init 20 Int64.of_int)
      ~repeated_nested_message:
        [ Test_messages_proto3_pb.Test_all_types_proto3.Nested_message.make ~a:300 () ]
      ~optional_double:1.5
      ~repeated_string:[ "a"; String.make 20 'b' ]
      ()
  in
  let whole = All3.encode m in
  let n = String.length whole in
  for room = 0 to n do
    let b = Bytes.make (room + 8) '#' in
    let start = (Codec.Unsafe.parts All3.codec).write b room m in
    Alcotest.(check int) "position" (room - n) start;
    Alcotest.(check string) "beyond" "########" (Bytes.sub_string b room 8)
  done

(* Encoded again and again, with sizes around what is kept. *)
let sizes () =
  let of_children n =
    let child = All3.Nested_message.make ~a:1_000 () in
    All3.make ~repeated_nested_message:(List.init n (fun _ -> child)) ()
  in
  List.iter
    (fun n ->
      let m = of_children n in
      Alcotest.(check bool) (string_of_int n) true (All3.decode (All3.encode m) = Ok m))
    [ 1; 300_000; 300_000; 310_000; 400_000; 2; 200_000; 0; 400_000 ]

let cases =
  [
    Suite.case "long and short, packed and not" both;
    Suite.case "what is malformed or out of range" refused;
    Suite.case "without room, writers count" rooms;
    Suite.case "large messages after small ones" sizes;
  ]
