(* Wrong ranges, damaged messages, unknown fields that are none, and values that another domain or
   thread changes while they are encoded. *)

open Weir_protobuf
open Attack
module All = Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3
module All2 = Weir_test_arrays.Test_messages_proto2_pb.Test_all_types_proto2
module Set = All2.Message_set_correct
module Extension_1 = All2.Message_set_correct_extension1

let numbers random =
  Array.init (length random) (fun _ ->
      pick random [ 0; 1; 127; 128; 16383; 16384; 0x7fffffff; -1; -0x80000000; int random 1000 ])

let sample random =
  let ints = numbers random in
  let big = Arrays.int64s_of_list (List.map Int64.of_int (Array.to_list (numbers random))) in
  let fixed = Arrays.int32s_of_list (Array.to_list (numbers random)) in
  {
    All.default with
    repeated_int32 = ints;
    packed_int32 = ints;
    packed_sint32 = ints;
    packed_int64 = big;
    packed_sint64 = big;
    packed_fixed32 = fixed;
    packed_double = Float.Array.init (int random 20) float_of_int;
    packed_bool = Array.map (fun v -> v land 1 = 0) ints;
    repeated_bytes =
      List.init (int random 4) (fun _ -> Slice.of_string (string random (length random)));
    repeated_string = List.init (int random 4) (fun _ -> Slice.of_string "text");
    recursive_message = (if int random 2 = 0 then Some All.default else None);
  }

let ranges random =
  let s = All.encode (sample random) in
  let n = String.length s in
  let pos = near random n and len = near random n in
  attempt (fun () -> ignore (Codec.decode All.codec ~pos ~len s));
  attempt (fun () -> ignore (Codec.decode All.codec ~pos s));
  attempt (fun () -> ignore (Codec.decode_bytes All.codec (Bytes.of_string s) ~pos ~len));
  attempt (fun () ->
      ignore (Codec.decode ~max_depth:(nasty random) ~memory:(nasty random) All.codec s));
  attempt (fun () ->
      let b = Bytes.create (Int.min 10_000 (near random (n + 8))) in
      ignore (Codec.encode_into All.codec (sample random) b ~pos:(near random 8)));
  attempt (fun () ->
      let b = Bytes.create (int random 2_000) in
      ignore (Codec.encode_before All.codec (sample random) b ~stop:(near random 2_000)));
  attempt (fun () ->
      let t = Slice.part s pos len in
      ignore (Slice.get t (near random len));
      Slice.blit t (near random len) (Bytes.create 20) (near random 20) (near random 20);
      ignore (All.encode { All.default with repeated_bytes = [ t ]; repeated_string = [ t ] }))

let damage random =
  let v = sample random in
  attempt (fun () -> ignore (All.decode (damaged random (All.encode v))));
  attempt (fun () -> ignore (All.of_json (damaged random (All.to_json v))));
  attempt (fun () -> ignore (All.of_text (damaged random (All.to_text v))));
  attempt (fun () ->
      ignore
        (Mutable_record.from_protobuf
           (damaged random (Mutable_record.to_protobuf (Mutable_record.make random)))));
  attempt (fun () -> ignore (All.decode (string random (length random))));
  attempt (fun () -> ignore (All.of_json (text random (length random))))

let unknown random =
  let garbage = string random (length random) in
  let m = { Set.unknown_fields = garbage } in
  attempt (fun () -> ignore (Extension.get Extension_1.message_set_extension m));
  attempt (fun () -> ignore (Extension.find Extension_1.message_set_extension m));
  attempt (fun () -> ignore (Set.encode m));
  attempt (fun () -> ignore (Set.to_json m));
  attempt (fun () -> ignore (Set.to_text m));
  attempt (fun () ->
      ignore (Extension.set Extension_1.message_set_extension m (Some Extension_1.default)))

(* {1 Races} *)

(* The arrays of [m] are the ones that change: their elements take one byte or ten. *)
let change_arrays (m : All.t) random =
  let v = pick random [ 0; 1; 127; 128; 16384; -1; 0x7fffffff ] in
  let set a = if Array.length a > 0 then a.(int random (Array.length a)) <- v in
  set m.packed_int32;
  set m.packed_sint32

let encodes (m : All.t) random =
  attempt (fun () ->
      match All.decode (All.encode m) with
      | Ok _ -> ()
      | Error e -> failwith ("encoded while it changed: " ^ Error.to_string e));
  attempt (fun () ->
      let size = Codec.size All.codec m in
      let b = Bytes.create (size + int random 16) in
      ignore (Codec.encode_into All.codec m b ~pos:0);
      ignore (Codec.encode_before All.codec m b ~stop:(Bytes.length b)));
  attempt (fun () -> ignore (All.to_json m));
  attempt (fun () ->
      let out = Weir_message.Output.create () in
      (Weir_message.Protobuf.binary All.codec).encode out m)

let derived_encodes v _random =
  attempt (fun () ->
      match Mutable_record.from_protobuf (Mutable_record.to_protobuf v) with
      | Ok _ -> ()
      | Error e -> failwith ("encoded while it changed: " ^ Error.to_string e));
  attempt (fun () ->
      let b = Bytes.create 4096 in
      ignore (Codec.encode_into Mutable_record.protobuf v b ~pos:0));
  attempt (fun () -> ignore (Json.encode Mutable_record.protobuf v))

let large =
  {
    (sample (Random.State.make [| 3 |])) with
    packed_int32 = Array.make 5_000 1;
    packed_sint32 = Array.make 3 1;
  }

(* Threads of one domain share the bytes that encoding keeps. *)
let threads () =
  let wrong = Atomic.make 0 in
  let work i =
    let random = Random.State.make [| i |] in
    let m = { (sample random) with recursive_message = Some (sample random) } in
    let s = All.encode m in
    for _ = 1 to Weir_test.Suite.iterations 300 do
      if All.encode m <> s then Atomic.incr wrong;
      if i = 0 then Thread.yield ()
    done
  in
  List.iter Thread.join (List.init 3 (fun i -> Thread.create work i));
  if Atomic.get wrong > 0 then failwith "another thread's bytes in a message"

let groups =
  [
    ( "protobuf",
      [
        property "ranges" ranges;
        property "damaged messages" damage;
        property "unknown fields that are none" unknown;
        racing "arrays change in another domain" ~change:(change_arrays large) (encodes large);
        (let v = Mutable_record.make (Random.State.make [| 2 |]) in
         racing "derived records change in another domain" ~change:(Mutable_record.change v)
           (derived_encodes v));
        (let b = Bytes.of_string (All.encode (sample (Random.State.make [| 5 |]))) in
         racing "bytes change while they are decoded"
           ~change:(fun random -> Bytes.set_uint8 b (int random (Bytes.length b)) (int random 256))
           (fun _ ->
             attempt (fun () ->
                 ignore (Codec.decode_bytes All.codec b ~pos:0 ~len:(Bytes.length b)));
             attempt (fun () ->
                 ignore (Codec.decode_bytes Mutable_record.protobuf b ~pos:0 ~len:(Bytes.length b)))));
        Weir_test.Suite.case "threads of a domain encode at once" threads;
      ] );
  ]
