(* Messages with arrays and slices beside the same messages with lists and strings: whatever comes
   in, both read the same or fail alike, and write the same. *)

open Weir_test
open Weir_protobuf
module Lists3 = Test_messages_proto3_pb.Test_all_types_proto3
module Arrays3 = Weir_test_arrays.Test_messages_proto3_pb.Test_all_types_proto3
module Slices3 = Weir_test_slices.Test_messages_proto3_pb.Test_all_types_proto3
module Lists2 = Test_messages_proto2_pb.Test_all_types_proto2
module Arrays2 = Weir_test_arrays.Test_messages_proto2_pb.Test_all_types_proto2

let outcome codec = function
  | Ok m -> Ok (Codec.encode codec m)
  | Error (e : Error.t) -> Error (e.position, e.reason, e.path)

(* A float32 of a list is a double, and a NaN that signals is made quiet on the way there: its bit
   0x40 is set. A block read into an array keeps it as it came. *)
let same_but_for_nan list array =
  let alike l a = l = a || (l = Char.chr (Char.code a lor 0x40) && Char.code a land 0x80 <> 0) in
  String.length list = String.length array
  && Seq.for_all2 alike (String.to_seq list) (String.to_seq array)

let same_binary lists arrays s =
  let expected = outcome lists (Codec.decode lists s)
  and found = outcome arrays (Codec.decode arrays s) in
  let agree =
    match (expected, found) with
    | Ok list, Ok array -> same_but_for_nan list array
    | Error list, Error array -> list = array
    | Ok _, Error _ | Error _, Ok _ -> false
  in
  if not agree then Alcotest.failf "%S is read otherwise as arrays" s;
  Result.is_ok found

(* Both forms of arrays. *)
let both s =
  let read = same_binary Lists3.codec Arrays3.codec s in
  Alcotest.(check bool) "as slices" read (same_binary Lists3.codec Slices3.codec s);
  read

let same s = ignore (both s)

let same_formats (type l a) (lists : l Codec.t) (arrays : a Codec.t) s =
  match (Codec.decode lists s, Codec.decode arrays s) with
  | Ok l, Ok a ->
      let json = Json.encode lists l and text = Text.encode lists l in
      Alcotest.(check string) "JSON written" json (Json.encode arrays a);
      Alcotest.(check string) "text written" text (Text.encode arrays a);
      let check what r = Alcotest.(check bool) what true (outcome arrays r = Ok s) in
      check "JSON read" (Json.decode arrays json);
      check "text read" (Text.decode arrays text)
  | _ -> Alcotest.failf "%S is not read" s

(* Every width of each kind, and the ends of its range. *)
let ints = List.concat_map (fun i -> [ 1 lsl i; (1 lsl i) - 1; -(1 lsl i) ]) (List.init 31 Fun.id)
let uints = (0xffffffff :: List.init 32 (fun i -> 1 lsl i)) @ [ 0; 127; 128 ]

let longs =
  List.concat_map
    (fun i -> Int64.[ shift_left 1L i; pred (shift_left 1L i); neg (shift_left 1L i) ])
    (List.init 64 Fun.id)

let floats = [ 0.; -0.; 1.5; infinity; neg_infinity; 1e-40 ]
let bools = [ true; false; true ]

let all =
  let i32 = 0x7fffffff :: -0x80000000 :: ints and u32 = uints and i64 = longs in
  Lists3.make ~repeated_int32:i32 ~repeated_uint32:u32 ~repeated_sint32:i32 ~repeated_int64:i64
    ~repeated_uint64:i64 ~repeated_sint64:i64 ~repeated_fixed32:u32 ~repeated_sfixed32:i32
    ~repeated_fixed64:i64 ~repeated_sfixed64:i64 ~repeated_float:floats ~repeated_double:floats
    ~repeated_bool:bools ~packed_int32:i32 ~packed_uint32:u32 ~packed_sint32:i32 ~packed_int64:i64
    ~packed_uint64:i64 ~packed_sint64:i64 ~packed_fixed32:u32 ~packed_sfixed32:i32
    ~packed_fixed64:i64 ~packed_sfixed64:i64 ~packed_float:floats ~packed_double:floats
    ~packed_bool:bools ~unpacked_int32:i32 ~unpacked_uint32:u32 ~unpacked_sint32:i32
    ~unpacked_int64:i64 ~unpacked_uint64:i64 ~unpacked_sint64:i64 ~unpacked_fixed32:u32
    ~unpacked_sfixed32:i32 ~unpacked_fixed64:i64 ~unpacked_sfixed64:i64 ~unpacked_float:floats
    ~unpacked_double:floats ~unpacked_bool:bools ~optional_string:"text é"
    ~optional_bytes:"\000\255" ~repeated_string:[ "a"; ""; "é" ] ~repeated_bytes:[ "\255"; "" ]
    ~map_string_string:[ ("k", "v") ]
    ~oneof_field:(Lists3.Oneof_bytes "\000\255") ()

let second =
  Lists2.make ~repeated_int32:ints ~unpacked_int32:ints ~packed_sint64:longs ~repeated_double:floats
    ~packed_bool:bools ~optional_string:"a" ~optional_bytes:"\255" ~repeated_string:[ "x"; "" ]
    ~oneof_field:(Lists2.Oneof_string "s") ()

let edges () =
  let bytes = Lists3.encode all in
  Alcotest.(check bool) "read" true (both bytes);
  same_formats Lists3.codec Arrays3.codec bytes;
  same_formats Lists3.codec Slices3.codec bytes;
  same_formats Lists2.codec Arrays2.codec (Lists2.encode second)

(* Fields of numbers, packed and not, some cut or of too many bytes, in any order. *)
let random_fields random =
  let bits n = Random.State.int random n in
  let b = Buffer.create 100 in
  let varint () =
    let n = if bits 4 = 0 then 1 + bits 10 else 1 + bits 2 in
    String.init n (fun i -> Char.chr (bits 128 lor if i < n - 1 then 128 else 0))
  in
  let fixed n = String.init n (fun _ -> Char.chr (bits 256)) in
  (* int32 to double, packed from 75 on, not packed from 89 on. *)
  let widths = [| 0; 0; 0; 0; 0; 0; 4; 8; 4; 8; 4; 8; 0 |] in
  let tag number wire =
    Buffer.add_string b
      (let v = (number lsl 3) lor wire in
       let low = Char.chr (v land 127 lor 128) and high = Char.chr (v lsr 7) in
       String.init 2 (fun i -> if i = 0 then low else high))
  in
  for _ = 0 to bits 6 do
    let kind = bits 13 in
    let number = List.nth [ 31; 75; 89 ] (bits 3) + kind and width = widths.(kind) in
    let value () = if width = 0 then varint () else fixed width in
    if bits 3 = 0 then (
      tag number (match width with 0 -> 0 | 4 -> 5 | _ -> 1);
      Buffer.add_string b (value ()))
    else
      let block = String.concat "" (List.init (bits 20) (fun _ -> value ())) in
      let cut = if bits 20 = 0 then String.length block / 2 else String.length block in
      if cut < 128 || bits 2 = 0 then (
        tag number 2;
        Buffer.add_utf_8_uchar b (Uchar.of_int (cut land 127));
        Buffer.add_string b (String.sub block 0 (cut land 127)))
  done;
  Buffer.contents b

let mixes () =
  let random = Random.State.make [| 12 |] in
  let read = ref 0 and runs = Suite.iterations 20_000 in
  for _ = 1 to runs do
    if both (random_fields random) then incr read
  done;
  if !read < runs / 4 then Alcotest.failf "of %d only %d are read" runs !read

let cut_off () =
  let bytes = Lists3.encode all in
  let rec from n =
    if n < String.length bytes then (
      same (String.sub bytes 0 n);
      from (n + 13))
  in
  for n = 0 to 200 do
    same (String.sub bytes 0 n)
  done;
  from 201

let mutations () =
  let random = Random.State.make [| 13 |] in
  let bytes = Lists3.encode all in
  for _ = 1 to Suite.iterations 500 do
    let b = Bytes.of_string bytes in
    for _ = 0 to Random.State.int random 3 do
      Bytes.set b
        (Random.State.int random (Bytes.length b))
        (Char.chr (Random.State.int random 256))
    done;
    let s = Bytes.to_string b in
    let bytes = String.length s in
    Words.check_small "as arrays" ~bytes (fun () -> Codec.decode Arrays3.codec s);
    Words.check_small "as slices" ~bytes (fun () -> Codec.decode Slices3.codec s);
    same s
  done

(* Infinity with a bit more is a NaN that signals. Only blocks are read into an array as they are. *)
let signalling () =
  let signals = "\x55\x00\x80\x7f" and quiet = "\x55\x00\xc0\x7f" in
  List.iter
    (fun (what, before, in_array) ->
      let written codec = outcome codec (Codec.decode codec (before ^ signals)) in
      let check who bits found =
        Alcotest.(check bool) (what ^ ", " ^ who) true (found = Ok (before ^ bits))
      in
      check "a list" quiet (written Lists3.codec);
      check "an array" in_array (written Arrays3.codec);
      same (before ^ signals))
    [ ("packed", "\xaa\x05\x04", signals); ("not packed", "\x9d\x06", quiet) ]

(* More numbers than are read or written at once. *)
let many () =
  let n = 200_000 in
  let random = Random.State.make [| 14 |] in
  let number _ = Random.State.bits random lsr Random.State.int random 30 in
  let packed_int32 = Array.init n number in
  let packed_double = Float.Array.init n float_of_int in
  let packed_sint64 =
    Weir_protobuf.Arrays.int64s_of_list (List.init n (fun i -> Int64.of_int (number i)))
  in
  let m = Arrays3.make ~packed_int32 ~packed_double ~packed_sint64 () in
  let bytes = Arrays3.encode m in
  (match Arrays3.decode (bytes ^ bytes) with
  | Error e -> Alcotest.fail (Error.to_string e)
  | Ok twice ->
      Alcotest.(check bool)
        "blocks are joined" true
        (twice.packed_int32 = Array.append packed_int32 packed_int32
        && twice.packed_double = Float.Array.append packed_double packed_double
        && Weir_protobuf.Arrays.Int64s.length twice.packed_sint64 = 2 * n));
  same bytes;
  (* One by one, thousands of small blocks: no array is copied for each. *)
  let one = Arrays3.encode (Arrays3.make ~packed_int32:[| 1; 2; 3 |] ()) in
  let s = String.concat "" (List.init 20_000 (fun _ -> one)) in
  let before = Gc.allocated_bytes () in
  (match Arrays3.decode s with
  | Ok m -> Alcotest.(check int) "all" 60_000 (Array.length m.packed_int32)
  | Error e -> Alcotest.fail (Error.to_string e));
  let words = (Gc.allocated_bytes () -. before) /. 8. in
  if words > 600_000. then Alcotest.failf "%.0f words" words

let out_of_range () =
  let refused what m =
    match Arrays3.encode m with
    | _ -> Alcotest.fail what
    | exception Invalid_argument why ->
        Alcotest.(check bool) why true (String.starts_with ~prefix:"protobuf: " why)
  in
  let few v = [| 1; v |] and many v = Array.init 50 (fun i -> if i = 41 then v else i) in
  List.iter
    (fun array ->
      refused "int32" (Arrays3.make ~packed_int32:(array 0x80000000) ());
      refused "int32" (Arrays3.make ~packed_int32:(array (-0x80000001)) ());
      refused "sint32" (Arrays3.make ~packed_sint32:(array 0x80000000) ());
      refused "uint32" (Arrays3.make ~packed_uint32:(array (-1)) ());
      refused "uint32" (Arrays3.make ~packed_uint32:(array 0x100000000) ());
      refused "uint32, not packed" (Arrays3.make ~unpacked_uint32:(array (-1)) ()))
    [ few; many ]

(* An array that grows or shrinks on the wire between its size and its writing. *)
let changes () =
  let c = Arrays3.codec in
  List.iter
    (fun (n, first, then_) ->
      let packed_int32 = Array.make n first and unpacked_int32 = [| 1 |] in
      let m =
        Arrays3.make ~packed_int32 ~unpacked_int32 ~optional_int32:5
          ~optional_string:(Slice.of_string "before") ()
      in
      let size = Codec.size c m in
      let b = Bytes.make (size + 64) '#' in
      Array.fill packed_int32 (n / 2) 1 then_;
      (match (Codec.Unsafe.parts c).write b size m with
      | 0 -> Alcotest.fail "what changed is written as if it had not"
      | _ -> ()
      | exception Invalid_argument why ->
          Alcotest.(check string) "why" "protobuf: an array changed while it was written" why);
      Alcotest.(check string) "nothing behind" (String.make 64 '#') (Bytes.sub_string b size 64))
    [ (1, 1, 300); (1, 300, 1); (3, 1, -1); (100, 1, -1); (100, -1, 1); (70_000, 5, 1 lsl 30) ]

(* As above, behind what is the caller's: an array that grows once it was counted. *)
let changed_behind_others () =
  List.iter
    (fun n ->
      let packed_int32 = Array.make n 1 in
      let m = Arrays3.make ~packed_int32 () in
      let c = Arrays3.codec in
      let size m =
        let size = Codec.size c m in
        Array.fill packed_int32 0 n (-1);
        size
      in
      let pos = 10 * n in
      let b = Bytes.make (pos + (20 * n) + 64) '#' in
      let c' = Codec.Unsafe.make { (Codec.Unsafe.parts c) with size } in
      (match Codec.encode_into c' m b ~pos with
      | stop -> (
          match Codec.decode ~pos ~len:(stop - pos) c (Bytes.to_string b) with
          | Ok _ -> ()
          | Error e -> Alcotest.fail (Error.to_string e))
      | exception Invalid_argument _ -> ());
      Alcotest.(check string)
        (Printf.sprintf "nothing before, %d" n)
        (String.make pos '#') (Bytes.sub_string b 0 pos))
    [ 1; 10; 1_000; 100_000 ]

let changes_meanwhile () =
  let packed_int32 = Array.make 5_000 1 and stop = Atomic.make false in
  let packed_sint64 = Weir_protobuf.Arrays.int64s_of_list (List.init 5_000 Int64.of_int) in
  let m =
    Arrays3.make ~packed_int32 ~packed_sint64 ~optional_string:(Slice.of_string "before") ()
  in
  let other =
    Domain.spawn (fun () ->
        let i = ref 0 in
        while not (Atomic.get stop) do
          incr i;
          packed_int32.(!i mod 5_000) <- (1 lsl (!i mod 40)) - 1
        done)
  in
  Fun.protect
    ~finally:(fun () ->
      Atomic.set stop true;
      Domain.join other)
    (fun () ->
      for _ = 1 to Suite.iterations 200 do
        match Arrays3.encode m with
        | s -> (
            match Arrays3.decode s with Ok _ -> () | Error e -> Alcotest.fail (Error.to_string e))
        | exception Invalid_argument _ -> ()
      done)

let slices () =
  let s = Lists3.encode all in
  let before = "####" in
  match Codec.decode Arrays3.codec ~pos:4 ~len:(String.length s) (before ^ s ^ before) with
  | Error e -> Alcotest.fail (Error.to_string e)
  | Ok m ->
      let t = m.optional_string in
      Alcotest.(check string) "to_string" "text é" (Slice.to_string t);
      Alcotest.(check bool) "a part" true (String.length (Slice.base t) > String.length s);
      Alcotest.(check char) "get" 'x' (Slice.get t 2);
      Alcotest.(check bool) "equal" true (Slice.equal t (Slice.of_string "text é"));
      Alcotest.(check bool) "order" true (Slice.compare t (Slice.of_string "text") > 0);
      Alcotest.check_raises "beyond" (Invalid_argument "Weir_protobuf.Slice.get") (fun () ->
          ignore (Slice.get t 7));
      Alcotest.check_raises "not UTF-8" (Invalid_argument "protobuf: string is not UTF-8")
        (fun () -> ignore (Arrays3.encode { m with optional_string = Slice.of_string "\255" }))

(* The caller may fill its bytes anew. *)
let slices_of_bytes () =
  let s = Lists3.encode all in
  let b = Bytes.of_string ("##" ^ s) in
  match Codec.decode_bytes Arrays3.codec b ~pos:2 ~len:(String.length s) with
  | Error e -> Alcotest.fail (Error.to_string e)
  | Ok m ->
      Bytes.fill b 0 (Bytes.length b) '#';
      Alcotest.(check bool) "the same" true (String.equal (Arrays3.encode m) s)

(* What is not an OCaml array is reached by functions. *)
let accessors () =
  let check (type t e b)
      (module A : Weir_protobuf.Arrays.NUMBERS
        with type t = t
         and type element = e
         and type bigarray = b) (a : e) (b : e) =
    let t = A.init 3 (fun i -> if i = 0 then a else b) in
    Alcotest.(check int) "length" 3 (A.length t);
    let list t = List.init (A.length t) (A.get t) in
    Alcotest.(check bool) "get" true (list t = [ a; b; b ]);
    Alcotest.(check bool) "a bigarray" true (list (A.of_bigarray (A.to_bigarray t)) = [ a; b; b ]);
    List.iter
      (fun i ->
        match A.get t i with
        | _ -> Alcotest.failf "there is no index %d" i
        | exception Invalid_argument _ -> ())
      [ -1; 3; min_int; max_int; (1 lsl 60) + 1 ];
    let bytes = Slice.to_string (A.to_slice t) in
    let behind = Slice.part ("#" ^ bytes ^ "#") 1 (String.length bytes) in
    Alcotest.(check bool) "of a slice" true (A.equal t (A.of_slice behind));
    Alcotest.(check bool) "others" false (A.equal t (A.init 3 (fun _ -> a)));
    (match A.of_slice (Slice.of_string (bytes ^ "#")) with
    | _ -> Alcotest.fail "part of a number"
    | exception Invalid_argument _ -> ());
    match A.init (-1) (fun _ -> a) with
    | _ -> Alcotest.fail "no length"
    | exception Invalid_argument _ -> ()
  in
  let open Weir_protobuf.Arrays in
  check (module Int64s) 5L Int64.min_int;
  check (module Int32s) 5l Int32.min_int;
  check (module Float64s) 0.5 infinity;
  check (module Float32s) 0.5 infinity

(* A block is a part of the input, wherever it stands there; what comes after it, one by one or as
   another block, makes a copy. *)
let parts_of_the_input () =
  let open Weir_protobuf.Arrays in
  let doubles = List.init 1_000 float_of_int in
  let first = Slices3.encode (Slices3.make ~packed_double:(float64s_of_list doubles) ()) in
  let input = "###" ^ first in
  let decode ?(pos = 3) s =
    match Codec.decode Slices3.codec ~pos s with
    | Ok m -> m
    | Error e -> Alcotest.fail (Error.to_string e)
  in
  let base (m : Slices3.t) = Slice.base (Float64s.to_slice m.packed_double) in
  let m = decode input in
  Alcotest.(check bool) "no copy" true (base m == input);
  Alcotest.(check bool) "read" true (float64s_to_list m.packed_double = doubles);
  let words = Weir_test.Words.allocated (fun () -> Slices3.decode first) in
  if words > 700. then Alcotest.failf "%.0f words, as if the thousand were copied" words;
  let kept = String.sub input 0 (String.length input) in
  let one_more = "\xb1\x05" ^ String.make 8 '\000' in
  List.iter
    (fun (what, behind, all) ->
      let m = decode (input ^ behind) in
      Alcotest.(check bool) what true (float64s_to_list m.packed_double = all);
      Alcotest.(check int) (what ^ ": a copy") (8 * List.length all) (String.length (base m)))
    [ ("another block", first, doubles @ doubles); ("one more", one_more, doubles @ [ 0. ]) ];
  let merged = Codec.merge Slices3.codec m (decode first ~pos:0) in
  Alcotest.(check bool) "merged" true (float64s_to_list merged.packed_double = doubles @ doubles);
  Alcotest.(check string) "the input is as before" kept input;
  let b = Bytes.of_string first in
  match Codec.decode_bytes Slices3.codec b ~pos:0 ~len:(Bytes.length b) with
  | Error e -> Alcotest.fail (Error.to_string e)
  | Ok m ->
      Bytes.fill b 0 (Bytes.length b) '#';
      Alcotest.(check bool) "of bytes that change" true (float64s_to_list m.packed_double = doubles)

(* Written from the end; what is behind stays, and so does what is before if all fits. *)
let before () =
  let s = Arrays3.encode (Arrays3.make ~packed_int32:(Array.init 100 Fun.id) ()) in
  let m = match Arrays3.decode s with Ok m -> m | Error e -> Alcotest.fail (Error.to_string e) in
  let n = String.length s in
  for room = 0 to n + 20 do
    let b = Bytes.make (n + 30) '#' in
    match Codec.encode_before Arrays3.codec m b ~stop:room with
    | start ->
        Alcotest.(check int) "where it begins" (room - n) start;
        Alcotest.(check string) "written" s (Bytes.sub_string b start n);
        Alcotest.(check string)
          "behind"
          (String.make (n + 30 - room) '#')
          (Bytes.sub_string b room (n + 30 - room))
    | exception Invalid_argument _ ->
        if room >= n then Alcotest.failf "there is room: %d" room;
        Alcotest.(check string)
          "behind"
          (String.make (n + 30 - room) '#')
          (Bytes.sub_string b room (n + 30 - room))
  done;
  List.iter
    (fun stop ->
      match Codec.encode_before Arrays3.codec m (Bytes.create 10) ~stop with
      | _ -> Alcotest.failf "%d" stop
      | exception Invalid_argument _ -> ())
    [ -1; 11; max_int; min_int ]

let cases =
  [
    Suite.case "get, set and bigarrays" accessors;
    Suite.case "numbers that are parts of the input" parts_of_the_input;
    Suite.case "written before a position" before;
    Suite.case "numbers of every width, in all formats" edges;
    Suite.case "fields packed and not, in any order" mixes;
    Suite.case "cut off anywhere" cut_off;
    Suite.case "mutations" mutations;
    Suite.case "a NaN that signals" signalling;
    Suite.case "many numbers; many blocks" many;
    Suite.case "numbers out of range are refused" out_of_range;
    Suite.case "an array that changes is refused" changes;
    Suite.case "what changes behind the caller's bytes" changed_behind_others;
    Suite.case "so it is while another domain changes it" changes_meanwhile;
    Suite.case "slices" slices;
    Suite.case "slices of bytes that change" slices_of_bytes;
  ]
