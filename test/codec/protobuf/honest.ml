(* What programs write is read, in each format, under the default limit of memory: random messages
   of all that generated code has, up to some hundred kilobytes. *)

open Weir_test
open Weir_protobuf
module B = Unsafe.Wire_buffer

let limit_reached = Unsafe.Unfolding.limit_reached
let below random n = Random.State.int random n

let encoded f =
  let b = Buffer.create 16 in
  f b;
  Buffer.contents b

let number b field n =
  B.tag b field 0;
  B.varint b (Int64.of_int n)

let block b field s =
  B.tag b field 2;
  B.block b s

let wrapped = "type.googleapis.com/google.protobuf.Int64Value"

(* Values that JSON can say, of the types whose JSON is special. *)
let rec value random depth =
  encoded @@ fun b ->
  match below random (if depth > 0 then 6 else 4) with
  | 0 -> number b 1 0
  | 1 ->
      B.tag b 2 1;
      B.fixed64 b (Int64.bits_of_float (float_of_int (below random 100_000) /. 8.))
  | 2 -> block b 3 "a text"
  | 3 -> number b 4 1
  | 4 -> block b 5 (struct_ random (depth - 1))
  | _ -> block b 6 (list random (depth - 1))

and list random depth =
  encoded @@ fun b ->
  for _ = 1 to below random 4 do
    block b 1 (value random depth)
  done

and struct_ random depth =
  encoded @@ fun b ->
  for i = 1 to below random 4 do
    let entry b =
      block b 1 (Printf.sprintf "key %d" i);
      block b 2 (value random depth)
    in
    block b 1 (encoded entry)
  done

let special random (m : Descriptor.message) =
  match m.full_name with
  | "google.protobuf.Timestamp" | "google.protobuf.Duration" ->
      Some
        (encoded (fun b ->
             number b 1 (below random 1_000_000);
             number b 2 (below random 1_000_000)))
  | "google.protobuf.FieldMask" -> Some (encoded (fun b -> block b 1 "first.second"))
  | "google.protobuf.Any" ->
      Some
        (encoded (fun b ->
             block b 1 wrapped;
             block b 2 (encoded (fun b -> number b 1 (below random 1_000_000)))))
  | "google.protobuf.Value" -> Some (value random 2)
  | "google.protobuf.ListValue" -> Some (list random 2)
  | "google.protobuf.Struct" -> Some (struct_ random 2)
  | _ -> None

(* Encodings one behind the other are a message of all their lists. *)
let rec long random m b size =
  if Buffer.length b >= size then Buffer.contents b
  else (
    Buffer.add_string b (Fast_json.message ~special random m ~depth:3);
    long random m b size)

let json_counted = ref 0

let read_in_each what c v =
  let read format s result =
    match result with
    | Error (e : Error.t) when e.reason = limit_reached ->
        Alcotest.failf "%s, %s of %d bytes: %s" what format (String.length s) (Error.to_string e)
    | Ok _ | Error _ -> ()
  in
  let s = Codec.encode c v in
  read "binary" s (Codec.decode c s);
  (match Json.encode c v with
  | s ->
      incr json_counted;
      read "JSON" s (Json.decode c s)
  | exception Error.Error _ -> ());
  match Text.encode c v with s -> read "text" s (Text.decode c s) | exception Error.Error _ -> ()

let honest what c () =
  let random = Random.State.make [| Suite.seed () |] in
  json_counted := 0;
  for i = 1 to Suite.iterations 12_000 / 1_000 do
    let s = long random (Codec.descriptor c) (Buffer.create 1000) (100 lsl Int.min i 10) in
    match Codec.decode ~memory:max_int c s with
    | Ok v -> read_in_each what c v
    | Error e -> Alcotest.failf "%s: %s" what (Error.to_string e)
  done;
  if !json_counted = 0 then Alcotest.failf "%s: no JSON" what

(* Long lists of one kind of number, text or message. *)
let lists () =
  let module All3 = Test_messages_proto3_pb.Test_all_types_proto3 in
  let n = 8_000 in
  let many f = List.init n f in
  let some =
    [
      ("ints", All3.make ~repeated_int32:(many Fun.id) ());
      ("digits", All3.make ~repeated_int32:(many (fun i -> i mod 10)) ());
      ( "wide",
        All3.make ~repeated_int64:(many (fun i -> Int64.sub Int64.max_int (Int64.of_int i))) () );
      ( "negative",
        All3.make ~repeated_sint64:(many (fun i -> Int64.add Int64.min_int (Int64.of_int i))) () );
      ("unsigned", All3.make ~repeated_uint64:(many (fun i -> Int64.of_int (-i))) ());
      ("doubles", All3.make ~repeated_double:(many (fun i -> 1. /. float_of_int (i + 1))) ());
      ("texts", All3.make ~repeated_string:(many (fun i -> String.make (i land 7) '\n')) ());
      ("bytes", All3.make ~repeated_bytes:(many (fun i -> String.make (i land 7) 'a')) ());
      ( "messages",
        All3.make
          ~repeated_foreign_message:
            (many (fun c -> Test_messages_proto3_pb.Foreign_message.make ~c ()))
          () );
      ("maps by number", All3.make ~map_int32_int32:(many (fun i -> (i, i))) ());
      ( "maps by wide number",
        All3.make
          ~map_int64_int64:(many (fun i -> (Int64.sub Int64.max_int (Int64.of_int i), 1L)))
          () );
      ("maps by text", All3.make ~map_string_string:(many (fun i -> (string_of_int i, "a"))) ());
    ]
  in
  List.iter (fun (what, v) -> read_in_each what All3.codec v) some

let cases =
  let open struct
    module P3 = Test_messages_proto3_pb
    module P2 = Test_messages_proto2_pb
    module E = Test_messages_edition2023_pb
    module Fast = Weir_fast_messages
    module Arrays = Weir_test_arrays
  end in
  let case what c = Suite.case what (honest what c) in
  [
    Suite.case "long lists" lists;
    case "proto3" P3.Test_all_types_proto3.codec;
    case "proto2" P2.Test_all_types_proto2.codec;
    case "edition 2023" E.Test_all_types_edition2023.codec;
    case "proto3, json=fast" Fast.Test_messages_proto3_pb.Test_all_types_proto3.codec;
    case "proto2, json=fast" Fast.Test_messages_proto2_pb.Test_all_types_proto2.codec;
    case "arrays" Arrays.Test_messages_proto3_pb.Test_all_types_proto3.codec;
    case "hidden" Weir_hidden_messages.Test_messages_proto3_pb.Test_all_types_proto3.codec;
    case "dropped" Weir_drop_messages.Test_messages_proto3_pb.Test_all_types_proto3.codec;
    case "address book" Sample_pb.Address_book.codec;
    case "Value" Weir_protobuf_types.Struct_pb.Value.codec;
    case "Struct" Weir_protobuf_types.Struct_pb.Struct.codec;
  ]
