(* What generated code reads and writes, as records and in place. *)

open Weir_capnp
module Suite = Weir_test.Suite
open Samples

let defaults () =
  let d = K.Defaults.default in
  Alcotest.(check int) "tiny" (-7) d.tiny;
  Alcotest.(check int) "short" (-300) d.short;
  Alcotest.(check int) "word" (-70000) d.word;
  Alcotest.(check int64) "long" (-5000000000L) d.long;
  Alcotest.(check int) "byte" 200 d.byte;
  Alcotest.(check int64) "wide" (-1L) d.wide;
  Alcotest.(check (float 0.)) "single" 1.5 d.single;
  Alcotest.(check (float 0.)) "double" (-2.25) d.double;
  Alcotest.(check string) "text" "hello \"there\"\n" d.text;
  Alcotest.(check (list int)) "words" [ 1; -2; 3 ] d.words;
  Alcotest.(check bool)
    "points" true
    (d.points = [ point 1 2; point 3 0 ] && d.point = Some (point 5 (-6)));
  let m = Message.of_string (K.Defaults.encode { d with text = "other"; points = [] }) in
  let r = K.Defaults.root m in
  let there (m, t) = Blob.to_string m t in
  Alcotest.(check string) "set" "other" (there (K.Defaults.R.text m r));
  Alcotest.(check int)
    "an empty list is not the default" 0
    (Items.length (snd (K.Defaults.R.points m r)));
  let m = Message.of_string (K.Shape.encode K.Shape.default) in
  let r = K.Defaults.root m in
  Alcotest.(check string) "default in place" "\000\255\016" (there (K.Defaults.R.data m r));
  Alcotest.(check (float 0.)) "pi" 3.14159 K.pi;
  Alcotest.(check string) "greeting" "bonjour" K.greeting;
  Alcotest.(check (list int)) "primes" [ 2; 3; 5; 7 ] K.primes;
  Alcotest.(check bool) "structs" true (K.home = point 1 2 && S.corner = point 3 (-4));
  Alcotest.(check bool) "a union" true (K.sample.which = Square 1.5 && K.sample.state = On 7);
  Alcotest.(check bool) "an enum" true (K.shade = S.Colour.None)

let generics () =
  let b = Builder.create () in
  let h = K.Pairs.init b in
  let names = K.Pairs.B.init_names b h in
  K.Pair.B.set_first b names (text "name");
  let pointed =
    let b = Builder.create () in
    S.Point.write b (point 8 9);
    Any.of_builder b
  in
  K.Pair.B.set_second b names pointed;
  let s = Builder.to_string b in
  let shown = Tool.decode "kinds" "Pairs" s in
  Alcotest.(check string)
    "the tool" "( names = (first = \"name\", second = (x = 8, y = 9)) )\n" shown;
  let m = Message.of_string s in
  let r = K.Pairs.R.names m (K.Pairs.root m) in
  Alcotest.(check string) "first" "name" (Blob.to_string m (Any.text m (K.Pair.R.first m r)));
  let p : S.Point.t Reader.t = Any.struct_ m (K.Pair.R.second m r) in
  Alcotest.(check int) "second" 9 (S.Point.R.y m p);
  Alcotest.(check bool) "a copy" true (ok (K.Pairs.decode s) = K.Pairs.of_reader m (K.Pairs.root m));
  malformed "text as a struct" (fun () -> Any.struct_ m (K.Pair.R.first m r))

(* A list of numbers is read by a newer schema as structs that begin with them, and back. *)
let upgrades () =
  let b = Builder.create () in
  let h = K.Kinds.init b in
  let l = K.Kinds.B.init_words b h 3 in
  List.iteri (fun i v -> Builder.put_uint32 b l i v) [ 5; -6; 7 ];
  let h' = K.Kinds.B.init_shorts b h 2 in
  Builder.put_uint16 b h' 1 77;
  let t = K.Kinds.B.init_texts b h 1 in
  Builder.put_text b t 0 "one";
  let p = K.Kinds.B.init_points b h 2 in
  S.Point.to_builder b (Builder.item b p 1) (point 4 5);
  let m = Message.of_string (Builder.to_string b) in
  let r = K.Kinds.root m in
  let as_points l : S.Point.t Items.t = Any.list_of m l in
  let field i = Any.field m r i in
  let find kind =
    (* the pointer whose list has this kind *)
    let rec go i =
      if
        try
          Unsafe.Pointer.kind (Unsafe.Pointer.list m (Any.position (field i)) 9 Unsafe.Pointer.any)
          = kind
          && Any.what m (field i) = List
        with Message.Error _ -> false
      then field i
      else go (i + 1)
    in
    go 0
  in
  let xs l =
    List.map (fun (p : S.Point.t) -> p.x) (Items.structs S.Point.of_reader m (as_points l))
  in
  Alcotest.(check (list int)) "from 32 bits" [ 5; -6; 7 ] (xs (find Kind.four_bytes));
  Alcotest.(check (list int))
    "from 16 bits: too narrow for the field" [ 0; 0 ]
    (xs (find Kind.two_bytes));
  let first : K.Field16.t Items.t = Any.list_of m (find Kind.two_bytes) in
  Alcotest.(check (list int))
    "16 bits" [ 0; 77 ]
    (Items.structs (fun m r -> K.Field16.R.value m r) m first);
  let named : K.Label.t Items.t = Any.list_of m (find Kind.pointer) in
  Alcotest.(check (list string))
    "from pointers" [ "one" ]
    (Items.structs (fun m r -> Blob.to_string m (K.Label.R.text m r)) m named);
  let xs : [ `Int32 ] Items.t = Any.list m (find Kind.struct_) Kind.four_bytes in
  Alcotest.(check (list int)) "structs as their first field" [ 0; 4 ] (Items.int32s m xs);
  let copies = Canonical.of_reader m (Items.struct_ m first 1) in
  Alcotest.(check int) "a narrow struct copied" 16 (String.length copies)

let in_place () =
  let b = Builder.create () in
  let h = K.Shape.init b in
  K.Shape.B.set_area b h 2.5;
  let inner = K.Shape.B.init_inner b h in
  K.Shape.B.set_named b inner "inside";
  let g = K.Shape.B.label b h in
  K.Shape.Label.B.set_text b g "t";
  K.Shape.Label.B.set_colour b g S.Colour.Green;
  K.Shape.B.set_circle b inner 1e9;
  let box = K.Shape.B.init_box b inner in
  K.Shape.Box.B.set_height b box 3;
  let width = K.Shape.Box.R.width (Builder.message b) in
  let other = K.Shape.R.inner (Builder.message b) (K.Shape.root (Builder.message b)) in
  Alcotest.(check int)
    "what another member left" 0
    (width (K.Shape.R.box (Builder.message b) other));
  K.Shape.B.set_named b inner "inside";
  let st = K.Shape.B.state b h in
  K.Shape.State.B.set_on b st 4;
  (match K.Shape.B.get_inner b h with
  | Some i -> K.Shape.B.set_area b i 7.
  | Option.None -> Alcotest.fail "get");
  let m = Builder.message b in
  let r = K.Shape.root m in
  (match K.Shape.R.which m r with Inner -> () | _ -> Alcotest.fail "which");
  let i = K.Shape.R.inner m r in
  Alcotest.(check (float 0.)) "area" 7. (K.Shape.R.area m i);
  Alcotest.(check bool) "text" true (Blob.equal m (K.Shape.R.named m i) "inside");
  let b' = Builder.create ~segment_words:3 () in
  let h' = K.Shape.init b' in
  K.Shape.B.copy_inner b' h' m i;
  let m' = Message.of_string (Builder.to_string b') in
  Alcotest.(check bool)
    "copied" true
    (K.Shape.of_reader m' (K.Shape.R.inner m' (K.Shape.root m')) = K.Shape.of_reader m i)

(* Records into a struct that is there: where there is room for what they point to, and where there
   is not, in one segment and over many. *)
let records_in_place () =
  List.iter
    (fun segment_words ->
      let b = Builder.create ~words:1 ~segment_words () in
      let h = K.Shape.init b in
      K.Shape.B.set_area b h 2.5;
      let label : K.Shape.Label.t = { text = "longer than eight bytes"; colour = Green } in
      let inner = K.Shape.B.init_inner b h in
      K.Shape.to_builder b inner (List.nth shapes 2);
      K.Shape.Label.to_builder b (K.Shape.B.label b h) label;
      K.Shape.State.to_builder b (K.Shape.B.state b h) (On 5);
      let v = ok (K.Shape.decode (Builder.to_string b)) in
      Alcotest.(check bool)
        (Printf.sprintf "segments of %d words" segment_words)
        true
        (v
        = ({ area = 2.5; label; state = On 5; which = Inner (Some (List.nth shapes 2)) }
            : K.Shape.t)))
    [ 1; 5; 9; 12; 20; 1000 ];
  let b = Builder.create () in
  let h = K.Shape.init b in
  let inner = K.Shape.B.init_inner b h in
  Builder.reset b;
  match K.Shape.to_builder b inner (List.nth shapes 2) with
  | () -> Alcotest.fail "a handle from before the reset"
  | exception Invalid_argument _ -> ()

(* Room is not zeroed before it is written: every word must be, or what lay there gets out. *)
let nothing_shows_through () =
  let check name encode write v =
    let expected = encode v in
    let b = Builder.create ~words:((String.length expected / 8) + 8) () in
    List.iter
      (fun fill ->
        Bytes.fill b.buf 0 (Bytes.length b.buf) fill;
        write b v;
        Alcotest.(check string) name expected (Builder.to_string b))
      [ '\255'; '\000'; '\170' ]
  in
  check "kinds" K.Kinds.encode K.Kinds.write kinds;
  check "nothing in kinds" K.Kinds.encode K.Kinds.write K.Kinds.default;
  check "payload" P.Payload.encode P.Payload.write payload;
  check "tree" K.Tree.encode K.Tree.write (tree 4);
  check "defaults" K.Defaults.encode K.Defaults.write K.Defaults.default;
  check "defaults, empty" K.Defaults.encode K.Defaults.write
    { K.Defaults.default with text = ""; data = ""; words = []; points = []; flag = false };
  List.iter (check "shape" K.Shape.encode K.Shape.write) shapes;
  check "a shape of no known kind" K.Shape.encode K.Shape.write
    { (List.hd shapes) with which = Unrecognized 99; state = Unrecognized 98 };
  check "handles" K.Handles.encode K.Handles.write { one = None; many = [ None; Some 3 ] }

let large_any () =
  let half = String.make (5 * Message.default_budget) 'x' in
  let b = Builder.create () in
  K.Kinds.write b { Samples.kinds with datas = [ half; half ] };
  let kinds = { Samples.kinds with anything = Any.of_builder b } in
  match K.Kinds.decode (K.Kinds.encode kinds) with
  | Ok again -> Alcotest.(check bool) "the same" true (String.equal kinds.anything again.anything)
  | Error e -> Alcotest.fail e.what

(* An AnyPointer need not be laid out as the library does: with a gap, and sharing a text. *)
let foreign_any () =
  let s =
    words
      [
        0x0002_0000_0000_0004L (* two pointers, one word further on *);
        0xffff_ffff_ffff_ffffL (* which nothing points to *);
        0x0000_0012_0000_0005L (* two bytes, two words on *);
        0x0000_0012_0000_0001L (* the same two *);
        0x0000_0000_0000_0041L;
      ]
  in
  let v = { kinds with anything = Bytes.to_string s } in
  let back = ok (K.Kinds.decode (K.Kinds.encode v)) in
  let m = Any.message back.anything in
  let r : K.Pair.t Reader.t = Any.struct_ m (Any.root m) in
  let first any = Blob.to_string m (Any.text m any) in
  Alcotest.(check (pair string string))
    "both" ("A", "A")
    (first (K.Pair.R.first m r), first (K.Pair.R.second m r));
  malformed "cut off" (fun () ->
      K.Kinds.encode { kinds with anything = String.sub v.anything 0 24 })

let visit m =
  let r = P.Payload.root m in
  let l = P.Payload.R.fifth m r in
  let sum = ref 0 in
  for i = 0 to Items.length l - 1 do
    let w = Items.struct_ m l i in
    sum := !sum + Blob.length (P.Words.R.a m w) + Blob.length (P.Words.R.d m w)
  done;
  let l = P.Payload.R.sixth m r in
  for i = 0 to Items.length l - 1 do
    sum := !sum + Int64.to_int (Items.int64 m l i)
  done;
  !sum + Int64.to_int (P.Payload.R.fourth m r) + int_of_float (P.Payload.R.third m r)

(* Whether this is built with inlining across libraries: without, 64-bit numbers are boxed. *)
let inlined m =
  let r = P.Payload.root m in
  let before = Gc.minor_words () in
  for _ = 1 to 100 do
    ignore (Sys.opaque_identity (Int64.to_int (Reader.int64 m r 16)))
  done;
  Gc.minor_words () -. before < 100.

let no_allocation () =
  let m = Message.of_string (P.Payload.encode payload) in
  ignore (visit m);
  let before = Gc.minor_words () in
  for _ = 1 to 100 do
    ignore (Sys.opaque_identity (visit m))
  done;
  let per = (Gc.minor_words () -. before) /. 100. in
  if per > if inlined m then 0.1 else 30. then Alcotest.failf "%.0f words a visit" per

let cases =
  [
    Suite.case "defaults and constants" defaults;
    Suite.case "generic types" generics;
    Suite.case "lists of other elements" upgrades;
    Suite.case "building in place" in_place;
    Suite.case "records in place" records_in_place;
    Suite.case "what lay in the room before does not show" nothing_shows_through;
    Suite.case "pointers laid out by others" foreign_any;
    Suite.case "a value above the usual traversal limit is copied" large_any;
    Suite.case "visiting allocates nothing" no_allocation;
  ]
