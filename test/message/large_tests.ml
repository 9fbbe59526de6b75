(* Messages that come and go by their fields: Field_reader, Field_writer. *)

open Weir_message
module P = Weir_protobuf
module Flow = Weir_flow.Flow
module Suite = Weir_test.Suite
module Pb = Test_messages_proto3_pb
module All3 = Pb.Test_all_types_proto3
module Person = Sample_pb.Person
module Address_book = Sample_pb.Address_book
module B = P.Unsafe.Wire_buffer

(* An element is what it does to a message that has those before it. *)
let elements : (All3.t, All3.t -> All3.t) Field_reader.element list =
  let c = All3.codec in
  [
    Each
      (Field.int c "repeated_int32", fun v m -> { m with repeated_int32 = m.repeated_int32 @ [ v ] });
    Each
      ( Field.int64 c "repeated_int64",
        fun v m -> { m with repeated_int64 = m.repeated_int64 @ [ v ] } );
    Each
      ( Field.int c "repeated_uint32",
        fun v m -> { m with repeated_uint32 = m.repeated_uint32 @ [ v ] } );
    Each
      ( Field.int c "repeated_sint32",
        fun v m -> { m with repeated_sint32 = m.repeated_sint32 @ [ v ] } );
    Each
      ( Field.int64 c "repeated_sint64",
        fun v m -> { m with repeated_sint64 = m.repeated_sint64 @ [ v ] } );
    Each
      ( Field.int c "repeated_fixed32",
        fun v m -> { m with repeated_fixed32 = m.repeated_fixed32 @ [ v ] } );
    Each
      ( Field.int c "repeated_sfixed32",
        fun v m -> { m with repeated_sfixed32 = m.repeated_sfixed32 @ [ v ] } );
    Each
      ( Field.int64 c "repeated_sfixed64",
        fun v m -> { m with repeated_sfixed64 = m.repeated_sfixed64 @ [ v ] } );
    Each
      ( Field.float c "repeated_float",
        fun v m -> { m with repeated_float = m.repeated_float @ [ v ] } );
    Each
      ( Field.float c "repeated_double",
        fun v m -> { m with repeated_double = m.repeated_double @ [ v ] } );
    Each
      (Field.bool c "repeated_bool", fun v m -> { m with repeated_bool = m.repeated_bool @ [ v ] });
    Each
      ( Field.text c "repeated_string",
        fun v m -> { m with repeated_string = m.repeated_string @ [ v ] } );
    Each
      ( Field.text c "repeated_bytes",
        fun v m -> { m with repeated_bytes = m.repeated_bytes @ [ v ] } );
    Each
      ( Field.message c "repeated_nested_message" All3.Nested_message.codec,
        fun v m -> { m with repeated_nested_message = m.repeated_nested_message @ [ v ] } );
    Each
      ( Field.int c "repeated_nested_enum",
        fun v m ->
          let v = All3.Nested_enum.of_int v in
          { m with repeated_nested_enum = m.repeated_nested_enum @ [ v ] } );
  ]

let streamed ?limit ?length ?(sizes = []) s =
  let r = Field_reader.create ?limit ?length All3.codec elements (Streams.chunked sizes s) in
  let found = ref [] in
  match Field_reader.iter r (fun e -> found := e :: !found) with
  | Ok rest -> Ok (List.fold_right (fun e m -> e m) !found rest)
  | Error _ as e -> e

(* {1 The same as decoding the whole} *)

let field rng b =
  let int n = Random.State.int rng n in
  let number () = Int64.shift_right_logical (Random.State.bits64 rng) (int 64) in
  let text n = String.init (int n) (fun _ -> Char.chr (97 + int 26)) in
  let fixed n = String.init n (fun _ -> Char.chr (int 256)) in
  let packed value = String.concat "" (List.init (int 12) (fun _ -> value ())) in
  let varint () =
    let b = Buffer.create 10 in
    B.varint b (number ());
    Buffer.contents b
  in
  let block number s =
    B.tag b number 2;
    B.block b s
  in
  let one number wire v =
    B.tag b number wire;
    Buffer.add_string b v
  in
  let rec group depth number =
    B.tag b number 3;
    for _ = 1 to int 4 do
      match int 4 with
      | 0 when depth < 5 -> group (depth + 1) (1 + int 600)
      | 1 -> block (1 + int 600) (text 40)
      | 2 -> one (1 + int 600) 0 (varint ())
      | _ -> one (1 + int 600) 5 (fixed 4)
    done;
    B.tag b number 4
  in
  let varints = [| 31; 32; 33; 34; 35; 36; 43; 51 |] in
  match int 12 with
  | 0 | 1 -> block varints.(int 8) (packed varint)
  | 2 -> one varints.(int 8) 0 (varint ())
  | 3 -> block (37 + (2 * int 2)) (packed (fun () -> fixed 4))
  | 4 -> block (if int 2 = 0 then 40 else 42) (packed (fun () -> fixed 8))
  | 5 -> one (if int 2 = 0 then 37 else 41) 5 (fixed 4)
  | 6 -> block 44 (text 200)
  | 7 -> block 45 (fixed (int 30))
  | 8 -> block 48 (if int 2 = 0 then "" else "\x08" ^ varint ())
  | 9 -> one 1 0 (varint ())
  | 10 -> block 14 (text 30)
  | _ -> group 0 (500 + int 5)

let message rng =
  let b = Buffer.create 100 in
  for _ = 1 to Random.State.int rng 12 do
    field rng b
  done;
  Buffer.contents b

let agree ?sizes s =
  match (streamed ?sizes s, All3.decode s) with
  | Ok a, Ok b -> if compare a b <> 0 then Alcotest.failf "not equal: %S" s
  | Error e, Error _ ->
      if e.position < 0 || e.position > String.length s then
        Alcotest.failf "position %d of %S" e.position s
  | Ok _, Error e -> Alcotest.failf "read, though %s: %S" (P.Error.to_string e) s
  | Error e, Ok _ -> Alcotest.failf "%s: %S" (P.Error.to_string e) s

let any_chunks () =
  let rng = Random.State.make [| Suite.seed (); 11 |] in
  for _ = 1 to Suite.iterations 3_000 do
    let s = message rng in
    let sizes = List.init (1 + Random.State.int rng 4) (fun _ -> 1 + Random.State.int rng 40) in
    agree ~sizes s
  done

let mutated () =
  let rng = Random.State.make [| Suite.seed (); 12 |] in
  for _ = 1 to Suite.iterations 10_000 do
    let s = Bytes.of_string (message rng) in
    if Bytes.length s > 0 then
      for _ = 0 to Random.State.int rng 3 do
        let at = Random.State.int rng (Bytes.length s) in
        Bytes.set_uint8 s at (Random.State.int rng 256)
      done;
    agree ~sizes:[ 1 + Random.State.int rng 30 ] (Bytes.to_string s)
  done

let truncations () =
  let rng = Random.State.make [| Suite.seed (); 13 |] in
  for _ = 1 to 20 do
    let s = message rng in
    for n = 0 to String.length s do
      agree ~sizes:[ 7 ] (String.sub s 0 n);
      if n < String.length s then
        match streamed ~length:(String.length s) (String.sub s 0 n) with
        | Ok _ -> Alcotest.fail "the end came early"
        | Error _ -> ()
    done
  done

(* {1 Errors} *)

let why ?limit ?length s =
  match streamed ?limit ?length s with Ok _ -> "read" | Error e -> P.Error.to_string e

let errors () =
  let check what want got = Alcotest.(check string) what want got in
  let s n = "\xe2\x02" ^ String.make 1 (Char.chr n) ^ String.make n 'x' in
  check "an element as long as may be" "read" (why ~limit:103 (s 100));
  check "a longer one" "byte 3: a field of 104 bytes is longer than the limit"
    (why ~limit:103 (s 0 ^ s 101));
  check "others" "byte 102: the other fields together are too long"
    (why ~limit:102 ("\x72\x64" ^ String.make 100 'x' ^ "\x08\x01"));
  check "cut off" "byte 3: the stream ended inside a field, after 2 of at least 3 bytes"
    (why (s 0 ^ "\xe2\x02"));
  check "in a block" "byte 4, in repeated_int32: the stream ended inside a block of packed numbers"
    (why "\xfa\x01\x05\x01");
  check "beyond a block"
    "byte 4, in repeated_int32: a packed number goes beyond the end of its block"
    (why "\xfa\x01\x02\x01\x80\x01");
  check "in a text" "byte 6, in repeated_string: string is not UTF-8"
    (why (s 0 ^ "\xe2\x02\x01\xff"));
  check "in an element" "byte 7, in repeated_nested_message.a: truncated"
    (why (s 0 ^ "\x82\x03\x01\x08"));
  check "in what is left" "byte 8, in optional_string: string is not UTF-8"
    (why ("\x08\x01" ^ s 1 ^ "\x72\x01\xff"));
  check "no tag" "byte 3: illegal field number" (why (s 0 ^ "\x00"));
  check "an end without a group" "byte 3: end of a group that did not begin" (why (s 0 ^ "\x0c"));
  let deep = String.make 5_000 '\x0b' in
  check "groups in groups" "byte 0: nested too deeply" (why deep);
  check "the flow goes on behind" "read" (why ~length:3 (s 0 ^ "\xff\xff"));
  let refused f =
    match f () with exception Invalid_argument _ -> () | _ -> Alcotest.fail "was made"
  in
  refused (fun () -> Field.int All3.codec "optional_int32");
  refused (fun () -> Field.int All3.codec "repeated_int64");
  refused (fun () -> Field.message All3.codec "repeated_nested_message" Person.codec);
  refused (fun () -> Field.text Person.codec "scores");
  let people = Field.message Address_book.codec "people" Person.codec in
  refused (fun () ->
      Field_reader.create Address_book.codec
        [ Each (people, ignore); Each (people, ignore) ]
        (Streams.chunked [] ""))

(* A group that comes in single bytes is gone over once. *)
let long_group () =
  let n = 100_000 in
  let s = "\xa3\x1f" ^ String.concat "" (List.init n (fun _ -> "\x08\x01")) ^ "\xa4\x1f" in
  let _, few = Streams.words (fun () -> streamed ~sizes:[ 1_000 ] s) in
  let _, many = Streams.words (fun () -> streamed ~sizes:[ 1 ] s) in
  let each = (many -. few) /. float_of_int (String.length s) in
  if each > 100. then Alcotest.failf "%.0f words a byte" each

(* {1 Writing} *)

let written () =
  let c = All3.codec in
  let sink = new Streams.sink in
  let w = Field_writer.create c sink in
  let add field = List.iter (Field_writer.add w field) in
  let ints = [ 0; 1; -1; 0x7fffffff; -0x80000000 ] and wide = [ 0L; -1L; Int64.max_int ] in
  let whole =
    All3.make ~repeated_int32:ints ~repeated_sint32:ints ~repeated_sfixed32:ints
      ~repeated_fixed32:[ 0xffffffff ] ~repeated_int64:wide ~repeated_sint64:wide
      ~repeated_fixed64:wide ~repeated_bool:[ true; false ] ~repeated_double:[ 1.5; -0. ]
      ~repeated_float:[ 0.5 ] ~repeated_string:[ ""; "é" ] ~repeated_bytes:[ "\xff" ]
      ~repeated_nested_message:[ All3.Nested_message.make (); All3.Nested_message.make ~a:7 () ]
      ~repeated_nested_enum:[ Bar; Neg ] ~optional_int32:5 ~optional_string:"rest" ()
  in
  add (Field.int c "repeated_int32") ints;
  add (Field.int c "repeated_sint32") ints;
  Field_writer.merge w (All3.make ~optional_int32:5 ~optional_string:"rest" ());
  add (Field.int c "repeated_sfixed32") ints;
  add (Field.int c "repeated_fixed32") [ 0xffffffff ];
  List.iter
    (fun name -> add (Field.int64 c name) wide)
    [ "repeated_int64"; "repeated_sint64"; "repeated_fixed64" ];
  add (Field.bool c "repeated_bool") [ true; false ];
  add (Field.float c "repeated_double") [ 1.5; -0. ];
  add (Field.float c "repeated_float") [ 0.5 ];
  add (Field.text c "repeated_string") [ ""; "é" ];
  add (Field.text c "repeated_bytes") [ "\xff" ];
  add
    (Field.message c "repeated_nested_message" All3.Nested_message.codec)
    [ All3.Nested_message.make (); All3.Nested_message.make ~a:7 () ];
  add (Field.int c "repeated_nested_enum") [ 1; -1 ];
  let refused field v =
    let before = sink#calls in
    (match Field_writer.add w field v with
    | () -> Alcotest.fail "written"
    | exception Invalid_argument _ -> ());
    Alcotest.(check int) "nothing" before sink#calls
  in
  refused (Field.int c "repeated_int32") 0x80000000;
  refused (Field.int c "repeated_fixed32") (-1);
  (let field = Field.text c "repeated_string" in
   match Field_writer.add w field "\xff" with
   | () -> Alcotest.fail "written"
   | exception Invalid_argument _ -> ());
  Alcotest.(check bool) "equal" true (All3.decode sink#contents = Ok whole);
  Alcotest.(check bool) "streamed" true (streamed sink#contents = Ok whole);
  let small = Field_writer.create ~limit:10 c Weir_flow.Null.flow in
  match Field_writer.add small (Field.text c "repeated_string") (String.make 11 'x') with
  | () -> Alcotest.fail "written"
  | exception Flow.Error (Flow.Too_long 10, _) -> ()

(* Between a start and an end tag, as no schema here has it: one that is, in a list. *)
let delimited () =
  let module M = Edition2024_pb.All in
  let repeated (f : P.Descriptor.field) = if f.number = 9 then { f with label = Repeated } else f in
  let fields = List.map repeated (P.Codec.descriptor M.codec).fields in
  let parts = P.Codec.Unsafe.parts M.codec in
  let c = P.Codec.Unsafe.make { parts with descriptor = { parts.descriptor with fields } } in
  let name = (Option.get (P.Descriptor.by_number (P.Codec.descriptor c) 9)).name in
  let field = Field.message c name Edition2024_pb.Hidden.codec in
  let sink = new Streams.sink in
  let w = Field_writer.create c sink in
  let values = List.init 3 (fun _ -> Edition2024_pb.Hidden.make ()) in
  List.iter (Field_writer.add w field) values;
  let read s =
    let found = ref 0 in
    let r = Field_reader.create c [ Each (field, ignore) ] (Streams.chunked [ 1 ] s) in
    Result.map (fun _ -> !found) (Field_reader.iter r (fun () -> incr found))
  in
  (* A required field stands before them. *)
  let read s = read ("\x18\x01" ^ s) in
  Alcotest.(check bool) "all" true (read sink#contents = Ok 3);
  Alcotest.(check bool) "with contents" true (read "\x4b\x08\x05\x4c\x4b\x4c" = Ok 2);
  Alcotest.(check bool) "cut off" true (Result.is_error (read "\x4b\x08\x05"))

(* {1 200 MB} *)

let heap () = (Gc.quick_stat ()).heap_words

(* A flow of what a writer writes, one element at a time, as the reader asks. *)
let produced total =
  let people = Field.message Address_book.codec "people" Person.codec in
  let made = Buffer.create 10_000 in
  let sink : Flow.writer =
    object
      inherit Flow.writer
      method write b ~off ~len = Buffer.add_subbytes made b off len
    end
  in
  let w = Field_writer.create Address_book.codec sink in
  let person = Person.make ~name:(String.make 5_000 'x') ~id:7 () in
  let flow : Flow.reader =
    object
      inherit Flow.reader
      val mutable given = 0
      val mutable at = 0

      method read_into b ~off ~len =
        if at = Buffer.length made && given < total then begin
          Buffer.clear made;
          at <- 0;
          Field_writer.add w people person
        end;
        let n = Int.min len (Buffer.length made - at) in
        Buffer.blit made at b off n;
        at <- at + n;
        given <- given + n;
        n
    end
  in
  (people, flow)

let large () =
  let total = 200_000_000 in
  let people, flow = produced total in
  let r = Field_reader.create Address_book.codec [ Each (people, fun p -> p) ] flow in
  Gc.compact ();
  let before = heap () and most = ref 0 and held = ref 0 and n = ref 0 in
  let each (p : Person.t) =
    incr n;
    if String.length p.name <> 5_000 then Alcotest.fail "another name";
    if !n mod 1_000 = 0 then begin
      most := Int.max !most (heap () - before);
      held := Int.max !held (Obj.reachable_words (Obj.repr r))
    end
  in
  let _, words = Streams.words (fun () -> ignore (Field_reader.iter r each)) in
  if !n < 39_000 then Alcotest.failf "%d elements" !n;
  if !held > 30_000 then Alcotest.failf "the reader holds %d words" !held;
  if !most > 1_000_000 then Alcotest.failf "the heap grew by %d words" !most;
  (* A name is 626 words. *)
  let each = words /. float_of_int !n in
  if each > 800. then Alcotest.failf "%.0f words an element" each

let tests =
  [
    ( "large messages",
      [
        Suite.case "any chunks" any_chunks;
        Suite.case "mutated" mutated;
        Suite.case "truncated" truncations;
        Suite.case "errors" errors;
        Suite.case "a long group" long_group;
        Suite.case "written by elements" written;
        Suite.case "between tags" delimited;
        Suite.slow "200 MB in bounded memory" large;
      ] );
  ]
