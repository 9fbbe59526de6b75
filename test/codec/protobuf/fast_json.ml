(* json=fast and the tables: of random messages the same JSON, of any JSON the same message or the
   same error. *)

open Weir_test
open Weir_protobuf
open Weir_protobuf.Unsafe
module F = Weir_fast_messages

let ok = function Ok v -> v | Error e -> Alcotest.fail (Error.to_string e)

(* A random encoding of a message, by its descriptor. *)

let below random n = Random.State.int random n

let int64_of random =
  match below random 4 with
  | 0 -> 0L
  | 1 -> Int64.of_int (below random 300 - 100)
  | 2 -> Int64.shift_left 1L (below random 64)
  | _ -> Random.State.bits64 random

let text_of random =
  let piece () =
    match below random 8 with
    | 0 -> "\"\\"
    | 1 -> "\n\001"
    | 2 -> "\xc3\xa9\xf0\x9f\x90\xab"
    | _ -> "ab"
  in
  String.concat "" (List.init (below random 5) (fun _ -> piece ()))

let rec value ~special random b number (k : Descriptor.kind) ~depth =
  Wire_buffer.tag b number (Descriptor.wire_type k);
  match k with
  | Double -> Wire_buffer.fixed64 b (int64_of random)
  | Float -> Wire_buffer.fixed32 b (Int64.to_int32 (int64_of random))
  | Bool -> Wire_buffer.varint b (Int64.of_int (below random 2))
  | Int32 | Sint32 | Sfixed32 ->
      Wire_buffer.integer b k (Int64.of_int32 (Int64.to_int32 (int64_of random)))
  | Uint32 | Fixed32 -> Wire_buffer.integer b k (Int64.logand (int64_of random) 0xffffffffL)
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> Wire_buffer.integer b k (int64_of random)
  | Enum e ->
      let known = snd (List.nth e.values (below random (List.length e.values))) in
      let n = if below random 8 = 0 then 77 else known in
      Wire_buffer.varint b (Int64.of_int n)
  | String | Raw_string -> Wire_buffer.block b (text_of random)
  | Bytes ->
      Wire_buffer.block b (String.init (below random 6) (fun _ -> Char.chr (below random 256)))
  | Message m -> Wire_buffer.block b (any_message ~special random m ~depth:(depth - 1))
  | Delimited m ->
      Buffer.add_string b (any_message ~special random m ~depth:(depth - 1));
      Wire_buffer.tag b number 4

and any_message ~special random m ~depth =
  match special random m with Some s -> s | None -> fields ~special random m ~depth

and fields ~special random (m : Descriptor.message) ~depth =
  let b = Buffer.create 64 in
  let field (f : Descriptor.field) =
    let nested = match f.kind with Message _ | Delimited _ -> true | _ -> false in
    let wanted = m.map_entry || f.label = Required || below random 6 = 0 in
    if wanted && (depth > 0 || (not nested) || Descriptor.is_map f) then
      for _ = 0 to if Descriptor.is_repeated f then below random 3 else 0 do
        value ~special random b f.number f.kind ~depth
      done
  in
  List.iter field m.fields;
  Buffer.contents b

let message ?(special = fun _ _ -> None) random m ~depth = any_message ~special random m ~depth

type pair =
  | Pair : { name : string; table : 'a Codec.t; fast : 'b Codec.t; also : string list } -> pair

let pairs =
  let open Test_messages_proto2_pb in
  let extension = "[protobuf_test_messages.proto2.extension_int32]" in
  [
    Pair
      {
        name = "proto2";
        table = Test_all_types_proto2.codec;
        fast = F.Test_messages_proto2_pb.Test_all_types_proto2.codec;
        also =
          [ Printf.sprintf "{%S:7,%S:7}" extension extension; Printf.sprintf "{%S:1}" extension ];
      };
    Pair
      {
        name = "required";
        table = Test_all_required_types_proto2.codec;
        fast = F.Test_messages_proto2_pb.Test_all_required_types_proto2.codec;
        also = [ "{}"; {|{"requiredInt32":1}|} ];
      };
    Pair
      {
        name = "proto3";
        table = Test_messages_proto3_pb.Test_all_types_proto3.codec;
        fast = F.Test_messages_proto3_pb.Test_all_types_proto3.codec;
        also =
          [ {|{"optionalInt32":1,"optional_int32":2}|}; {|{"oneofString":"","oneofBool":true}|} ];
      };
    Pair
      {
        name = "edition 2023";
        table = Test_messages_edition2023_pb.Test_all_types_edition2023.codec;
        fast = F.Test_messages_edition2023_pb.Test_all_types_edition2023.codec;
        also = [ {|{"[protobuf_test_messages.editions.extension_int32]":7,"optionalInt32":3}|} ];
      };
  ]

let same_reading name table fast text =
  match (Json.decode table text, Json.decode fast text) with
  | Ok a, Ok b when String.equal (Codec.encode table a) (Codec.encode fast b) -> true
  | Error a, Error b when a.position = b.position && a.path = b.path && a.reason = b.reason -> false
  | Ok _, Ok _ -> Alcotest.failf "%s: %S is read as another message" name text
  | Error e, Ok _ -> Alcotest.failf "%s: tables refuse %S: %s" name text (Error.to_string e)
  | Ok _, Error e -> Alcotest.failf "%s: json=fast refuses %S: %s" name text (Error.to_string e)
  | Error a, Error b ->
      Alcotest.failf "%s: %S: %s, %s" name text (Error.to_string a) (Error.to_string b)

let agree (Pair { name; table; fast; also }) () =
  let random = Random.State.make [| 11 |] in
  let read = ref 0 and refused = ref 0 and unsayable = ref 0 in
  let reads text = incr (if same_reading name table fast text then read else refused) in
  List.iter reads also;
  for _ = 1 to Suite.iterations 1_000 do
    let bytes = message random (Codec.descriptor table) ~depth:3 in
    match (Codec.decode table bytes, Codec.decode fast bytes) with
    | Ok a, Ok b -> (
        match (Json.try_encode table a, Json.try_encode fast b) with
        | Ok s, Ok t ->
            Alcotest.(check string) name s t;
            reads s;
            for _ = 1 to 4 do
              reads (Fuzz.mutated_json random s)
            done
        | Error a, Error b when a = b -> incr unsayable
        | _ -> Alcotest.failf "%s: %S: one is written" name bytes)
    | Error a, Error b when a = b ->
        (* A required message that requires itself: none is whole. *)
        reads (Printf.sprintf {|{"requiredInt32":%d}|} (below random 1000))
    | _ -> Alcotest.failf "%s: one is read" name
  done;
  if !read + !refused < 100 || !refused < 100 then
    Alcotest.failf "%s: only %d read, %d refused, %d unsayable" name !read !refused !unsayable

let cases =
  List.map
    (fun (Pair { name; _ } as pair) ->
      Suite.case ("json=fast and tables agree: " ^ name) (agree pair))
    pairs
