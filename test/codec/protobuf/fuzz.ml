(* Truncated and mutated inputs, each format: a documented error or a value. *)

open Weir_test
open Weir_protobuf
open Weir_protobuf.Unsafe
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

let formats_of c message =
  let again r = Result.map (fun m -> Codec.encode c m) r in
  [
    { name = "binary"; bytes = Codec.encode c message; read = (fun s -> again (Codec.decode c s)) };
    { name = "JSON"; bytes = Json.encode c message; read = (fun s -> again (Json.decode c s)) };
    { name = "text"; bytes = Text.encode c message; read = (fun s -> again (Text.decode c s)) };
  ]

let formats = formats_of All3.codec message

module P2 = Test_messages_proto2_pb
module All2 = P2.Test_all_types_proto2
module E23 = Test_messages_edition2023_pb

(* Groups, extensions, a message set, closed enums. *)
let second =
  let open All2 in
  let item = Message_set_correct_extension1.make ~str:"item" () in
  let set =
    Extension.set Message_set_correct_extension1.message_set_extension Message_set_correct.default
      (Some item)
  in
  make ~optional_int32:(-1)
    ~data:(Data.make ~group_int32:5 ~group_uint32:300 ())
    ~message_set_correct:set
    ~repeated_nested_enum:[ Nested_enum.Foo; Nested_enum.Bar ]
    ~map_string_nested_enum:[ ("a", Nested_enum.Baz) ]
    ~oneof_field:(Oneof_bytes "\000\255") ()
  |> fun m -> Extension.set P2.extension_int32 m (Some 7)

let delimited =
  let group = E23.Test_all_types_edition2023.Group_like_type.make ~group_int32:1 () in
  E23.Test_all_types_edition2023.make ~groupliketype:group ~delimited_field:group
    ~repeated_double:[ 0.5 ] ()
  |> fun m -> Extension.set E23.groupliketype m (Some (E23.Group_like_type.make ~c:3 ()))

let every_message =
  formats @ formats_of All2.codec second
  @ formats_of E23.Test_all_types_edition2023.codec delimited
  @ formats_of Sample_pb.Address_book.codec Sample_data.book
  @ formats_of Edition2024_pb.All.codec
      (Edition2024_pb.All.make ~needed:1
         ~delimited:(Edition2024_pb.Hidden.make ~id:7 ())
         ~unchecked:"\xc3\xa9" ~choice:(Other "x") ())

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
      done;
      match f.read f.bytes with
      | Ok _ -> ()
      | Error e -> Alcotest.failf "%s: whole: %s" f.name (Error.to_string e))
    every_message

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
        let got = ref (Error { Error.position = 0; path = []; reason = "" }) in
        match
          Weir_test.Words.check_small f.name ~bytes:(String.length s) (fun () -> got := f.read s);
          !got
        with
        | Error _ -> ()
        | Ok bytes -> (
            match All3.decode bytes with
            | Ok m when String.equal (All3.encode m) bytes -> ()
            | Ok _ -> Alcotest.failf "%s: %S is no normal form" f.name s
            | Error e -> Alcotest.failf "%s: %S: %s" f.name s (Error.to_string e))
        | exception e -> Alcotest.failf "%s: %S: %s" f.name s (Printexc.to_string e))
      formats
  done

(* What stands before a message or behind it is none of its reader's business: the same value or
   error, position and path in the message. *)
let neighbours () =
  let random = Random.State.make [| 6 |] in
  let bytes = Codec.encode All3.codec message in
  let part () =
    match Random.State.int random 4 with
    | 0 -> ""
    | 1 -> String.make (Random.State.int random 12) '\x80'
    | 2 -> String.make (Random.State.int random 12) '\x01'
    | _ -> String.sub bytes (Random.State.int random (String.length bytes)) 1 ^ bytes
  in
  for _ = 1 to Suite.iterations 10_000 do
    let s = mutate random bytes in
    let len = Random.State.int random (String.length s + 1) in
    let alone = Codec.decode All3.codec (String.sub s 0 len) in
    let before = part () in
    let behind = if Random.State.bool random then part () else "" in
    let rest = if behind = "" then String.sub s len (String.length s - len) else behind in
    let among =
      Codec.decode All3.codec ~pos:(String.length before) ~len (before ^ String.sub s 0 len ^ rest)
    in
    if compare alone among <> 0 then Alcotest.failf "%d bytes of %S among others" len s;
    match alone with
    | Error _ -> ()
    | Ok m ->
        let n = Codec.size All3.codec m in
        let b = Bytes.make (n + 32) '\xa5' in
        let stop = Codec.encode_into All3.codec m b ~pos:16 in
        let clean from = Bytes.sub_string b from 16 = String.make 16 '\xa5' in
        if stop <> 16 + n || not (clean 0 && clean stop) then
          Alcotest.failf "%d bytes of %S: written elsewhere" len s
  done

let by_descriptor (c : _ Codec.t) s =
  let r = Json_cursor.make (Codec.types c) ~ignore_unknown:false s in
  let b = Buffer.create 256 in
  match
    Json_parse.message r (Codec.descriptor c) ~depth:Codec.max_depth b;
    Json_lexer.finish r
  with
  | () -> Codec.decode c (Buffer.contents b)
  | exception Error.Error e ->
      Error { e with path = Json_trail.path (Codec.types c) (Codec.descriptor c) s e }

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

(* JSON is read in two ways: they must agree, also on where an error is. *)
let two_ways codec message () =
  let random = Random.State.make [| 5 |] in
  let text = Json.encode codec message in
  for _ = 1 to Suite.iterations 10_000 do
    let s = mutated_json random text in
    match (Json.decode codec s, by_descriptor codec s) with
    | Ok a, Ok b when String.equal (Codec.encode codec a) (Codec.encode codec b) -> ()
    | Error a, Error b when a.position = b.position && a.path = b.path -> ()
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

(* A message field given again and again is merged: what it has, and what that costs. *)
let merged_often () =
  let n = 20_000 in
  (* recursive_message { repeated_int32: 5, 1000: 1 } *)
  let outer = "\xda\x01\x06\xf8\x01\x05\xc0\x3e\x01" in
  let s = String.concat "" (List.init n (fun _ -> outer)) in
  let before = Gc.allocated_bytes () in
  let m = Result.get_ok (Codec.decode ~memory:max_int All3.codec s) in
  let used = Gc.allocated_bytes () -. before in
  let inner = Option.get m.recursive_message in
  Alcotest.(check int) "elements" n (List.length inner.repeated_int32);
  Alcotest.(check int) "unknown" (3 * n) (String.length inner.unknown_fields);
  if used > 64. *. float_of_int (String.length s) then
    Alcotest.failf "%.0f bytes for %d" used (String.length s)

(* Pieces of a merged message: what is in a oneof starts anew with each case. *)
let merged_pieces () =
  let open Sample_pb in
  let introduced s = Printf.sprintf "\x3a%c%s" (Char.chr (String.length s)) s in
  let a = introduced "\x0a\x01a" and id = introduced "\x10\x05" and phone = introduced "\x22\x00" in
  let read s = Result.map (fun (m : Person.t) -> m.origin) (Person.decode s) in
  let expect what s = function
    | want when read s = Ok (Some want) -> ()
    | _ -> Alcotest.failf "%s: %S" what s
  in
  let person = Person.make in
  let by m = Person.Introduced_by m in
  let phones = [ Person.Phone_number.make (); Person.Phone_number.make () ] in
  expect "three" (a ^ phone ^ id ^ phone) (by (person ~name:"a" ~id:5 ~phones ()));
  expect "another case between"
    (a ^ id ^ "\x32\x01x" ^ phone)
    (by (person ~phones:[ List.hd phones ] ()));
  expect "another case behind" (a ^ id ^ phone ^ "\x32\x01x") (Person.Imported_from "x");
  expect "nested"
    (introduced a ^ introduced id ^ introduced phone ^ introduced (a ^ phone))
    (by (person ~origin:(by (person ~name:"a" ~id:5 ~phones ())) ()));
  let refused what s position =
    match Person.decode s with
    | Error e -> Alcotest.(check int) what position e.position
    | Ok _ -> Alcotest.failf "%s is read" what
  in
  refused "a piece that only the next would make whole"
    (a ^ introduced "\x0a" ^ introduced "\x01x")
    8;
  refused "not UTF-8 in the third" (a ^ id ^ introduced "\x10\x07\x0a\x01\xff") 15;
  refused "the same, nested"
    (introduced a ^ introduced id ^ introduced (id ^ introduced "\x0a\x01\xff"))
    23

(* Keys of one hash: an int64's is its halves' difference. *)
let one_hash i = Int64.logor i (Int64.shift_left i 32)

let map_keys () =
  let n = 20_000 in
  let map key = List.init n (fun i -> (key (Int64.of_int i), Int64.of_int i)) in
  let scattered i = Int64.mul i 0x9e3779b97f4a7c15L in
  let time f =
    let start = Sys.time () in
    ignore (Sys.opaque_identity (f ()));
    Sys.time () -. start
  in
  let seconds key =
    (* Descending, so that they are not seen to be sorted. *)
    let s = All3.encode (All3.make ~map_int64_int64:(List.rev (map key)) ()) in
    let m = Result.get_ok (All3.decode s) in
    Alcotest.(check int) "entries" n (List.length m.map_int64_int64);
    let json = All3.to_json m in
    List.fold_left Float.min infinity
      (List.init 3 (fun _ -> time (fun () -> (All3.decode s, All3.of_json json))))
  in
  let usual = seconds scattered and chosen = seconds one_hash in
  if chosen > (20. *. usual) +. 0.05 then Alcotest.failf "%f s instead of %f" chosen usual

let last_of_equal_keys =
  let open QCheck2 in
  let entries =
    Gen.(
      list_size (int_bound 100) (pair (map (fun i -> one_hash (Int64.of_int i)) (int_bound 60)) int))
  in
  Suite.qcheck
    (Test.make ~name:"of equal keys the last entry stays, in its place"
       Gen.(pair entries entries)
       (fun (before, entries) ->
         let before = Decode.last_wins [] (List.rev before) in
         let all = before @ entries in
         let later i key =
           List.exists (fun (k, _) -> k = key) (List.filteri (fun j _ -> j > i) all)
         in
         Decode.last_wins before (List.rev entries)
         = List.filteri (fun i (key, _) -> not (later i key)) all))

(* Beyond the bytes that are kept, twice: the second is written to the first one's. *)
let large () =
  let text i = String.make (i mod 40) (Char.chr (97 + (i mod 26))) in
  let strings n = List.init n text and bytes n = List.init n (fun i -> text (i + 1)) in
  let check what (m : All3.t) =
    match All3.decode (All3.encode m) with
    | Ok back -> Alcotest.(check bool) what true (back = m)
    | Error e -> Alcotest.fail (Error.to_string e)
  in
  List.iter
    (fun n ->
      let m = All3.make ~repeated_string:(strings n) ~repeated_bytes:(bytes n) () in
      check (Printf.sprintf "%d strings" n) m;
      check (Printf.sprintf "%d strings, again" n) m)
    [ 255; 256; 257; 513; 60_000; 90_000; 60_000 ];
  (* One that cannot be written, of many, and then others. *)
  let broken = All3.make ~repeated_string:(strings 60_000 @ [ "\255" ]) () in
  (match All3.encode broken with
  | _ -> Alcotest.fail "it is not UTF-8"
  | exception Invalid_argument _ -> ());
  check "after an error" (All3.make ~repeated_string:(strings 60_000) ())

(* The writer that is kept survives texts that fail, and long ones. *)
let json_writer () =
  let good = All3.make ~optional_string:"a" () in
  let text = All3.to_json good in
  let again what = Alcotest.(check string) what text (All3.to_json good) in
  let broken = All3.make ~optional_string:"\255" () in
  (match All3.to_json broken with _ -> () | exception Invalid_argument _ -> ());
  again "after one that failed";
  let long = All3.make ~optional_string:(String.make 100_000 'x') () in
  Alcotest.(check int)
    "a long one"
    (100_000 - 1 + String.length text)
    (String.length (All3.to_json long));
  again "after a long one"

let cases =
  [
    Suite.case "large messages are written twice" large;
    Suite.case "JSON after texts that failed or were long" json_writer;
    Suite.case "map keys of one hash cost no more" map_keys;
    last_of_equal_keys;
    Suite.case "pieces of a message are merged in order" merged_pieces;
    Suite.case "a message merged 20,000 times costs what it is long" merged_often;
    Suite.case "a message comes back from each format" round_trips;
    Suite.case "every truncation" truncations;
    Suite.case "mutated inputs" mutations;
    Suite.case "what is around a message" neighbours;
    Suite.case "JSON directly and by descriptor: the same, of many fields"
      (two_ways All3.codec message);
    Suite.case "the same of few" (two_ways Sample_pb.Address_book.codec Sample_data.book);
    Suite.case "memory stays within a multiple of the input" hostile;
  ]
