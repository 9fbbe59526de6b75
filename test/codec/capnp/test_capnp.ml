open Weir_capnp
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

let ok = function Ok v -> v | Error e -> Alcotest.failf "%a" Message.pp_error e

let malformed name f =
  match f () with _ -> Alcotest.failf "%s was accepted" name | exception Message.Error _ -> ()

(* {1 The generator} *)

let generated dir folder file () =
  let root = Suite.project_root () in
  let m = Message.of_string (Tool.request ~dir:(Filename.concat root dir) file) in
  Message.set_traversal m max_int;
  List.iter
    (fun (name, text) ->
      Suite.expected ~file:(Filename.concat folder (Filename.basename name)) text)
    (Capnpc_weir.Plugin.generate (Capnpc_weir.Load.request m))

let corpus file =
  Suite.case
    ("what is generated from " ^ file)
    (generated "test/codec/capnp/schemas" "test/codec/capnp/corpus" file)

(* {1 Interop} *)

(* Each value of the corpus: its schema, type, bytes, and a function that reads it back. *)
let values =
  let v file ty encode decode x = (file, ty, encode x, fun s -> decode s = Ok x) in
  (* The tool prints an AnyPointer as "<opaque pointer>", which it cannot read. *)
  [
    v "kinds" "Kinds" K.Kinds.encode K.Kinds.decode { kinds with anything = Any.none };
    v "payload" "Payload" P.Payload.encode P.Payload.decode payload;
    v "kinds" "Tree" K.Tree.encode K.Tree.decode (tree 6);
    v "kinds" "Defaults" K.Defaults.encode K.Defaults.decode K.Defaults.default;
    v "kinds" "Kinds" K.Kinds.encode K.Kinds.decode K.Kinds.default;
  ]
  @ List.map (v "kinds" "Shape" K.Shape.encode K.Shape.decode) shapes

let text_there_and_back () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let text = Tool.decode file ty bytes in
      let back = Tool.encode file ty text in
      if not (same back) then Alcotest.failf "%s: %s" ty text)
    values

let packed_there_and_back () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let packed = Packed.pack bytes in
      (* The tool lays the message out anew before it packs. *)
      let theirs = Tool.convert "binary:binary" file ty bytes in
      Alcotest.(check string)
        "as the tool packs"
        (Tool.convert "binary:packed" file ty bytes)
        (Packed.pack theirs);
      let text = Tool.decode ~flags:[ "--packed" ] file ty packed in
      let back = Tool.encode ~flags:[ "--packed" ] file ty text in
      if not (same (Packed.unpack back)) then Alcotest.failf "%s: %s" ty text)
    values

let canonical () =
  List.iter
    (fun (file, ty, bytes, same) ->
      let ours = Canonical.of_message (Message.of_string bytes) in
      let theirs = Tool.convert "binary:canonical" file ty bytes in
      Alcotest.(check string) (ty ^ " as the tool has it") theirs ours;
      let m = Message.of_segment (Bytes.of_string ours) ~off:0 ~len:(String.length ours) in
      Alcotest.(check bool) "checked" true (Canonical.check m);
      let b = Bytes.make 8 '\000' in
      Bytes.set_int32_le b 4 (Int32.of_int (String.length ours / 8));
      Alcotest.(check bool) "the same value" true (same (Bytes.to_string b ^ ours)))
    values

let expected_text () =
  let shown (file, ty, bytes, _) = Tool.decode file ty bytes in
  Suite.expected ~file:"test/codec/capnp/values.expected"
    (String.concat "\n" (List.map shown values))

(* {1 Segments} *)

let many_segments () =
  List.iter
    (fun segment_words ->
      let b = Builder.create ~segment_words () in
      K.Kinds.write b kinds;
      let s = Builder.to_string b in
      let m = Message.of_string s in
      if segment_words < 20 && Message.segments m < 3 then Alcotest.fail "one segment";
      Alcotest.(check bool) "read back" true (ok (K.Kinds.decode s) = kinds);
      Alcotest.(check bool)
        "read in place" true
        (K.Kinds.of_reader (Builder.message b) (K.Kinds.root (Builder.message b)) = kinds);
      Alcotest.(check string)
        "canonical"
        (Canonical.of_message (Message.of_string (K.Kinds.encode kinds)))
        (Canonical.of_message m);
      let parts =
        List.init (Message.segments m) (fun i ->
            let off, len = Message.segment m i in
            Bytes.sub m.buf off len)
      in
      let m = Message.of_segments parts in
      Alcotest.(check bool) "segments apart" true (K.Kinds.of_reader m (K.Kinds.root m) = kinds);
      Alcotest.(check string)
        "the tool reads it"
        (Tool.decode "kinds" "Kinds" (K.Kinds.encode kinds))
        (Tool.decode "kinds" "Kinds" s))
    [ 1; 2; 5; 16; 40; 100 ]

let words l =
  let b = Bytes.create (8 * List.length l) in
  List.iteri (fun i w -> Bytes.set_int64_le b (8 * i) w) l;
  b

let frame parts =
  let n = List.length parts in
  let table = Bytes.make (((n / 2) + 1) * 8) '\000' in
  Bytes.set_int32_le table 0 (Int32.of_int (n - 1));
  List.iteri
    (fun i p -> Bytes.set_int32_le table (4 + (4 * i)) (Int32.of_int (Bytes.length p / 8)))
    parts;
  Bytes.to_string (Bytes.concat Bytes.empty (table :: parts))

let far ~double ~off ~segment =
  Int64.logor
    (Int64.of_int ((off lsl 3) lor (if double then 4 else 0) lor 2))
    (Int64.shift_left (Int64.of_int segment) 32)

let point_words = 0x0000_0002_0000_0001L

let double_far () =
  let s =
    frame
      [
        words [ far ~double:true ~off:1 ~segment:1 ];
        words [ 0L; far ~double:false ~off:1 ~segment:2; 0x0000_0000_0000_0000L ];
        words [ 0L; point_words ];
      ]
  in
  let with_tag tag =
    let b = Bytes.of_string s in
    (* table 2 words (3 segments), segment 0 one word, then segment 1: its third word *)
    Bytes.set_int64_le b (8 * (2 + 1 + 2)) tag;
    Bytes.to_string b
  in
  let s = with_tag 0x0000_0001_0000_0000L in
  Alcotest.(check bool) "point" true (ok (S.Point.decode s) = point 1 2);
  Alcotest.(check string) "the tool agrees" "(x = 1, y = 2)\n" (Tool.decode "shapes" "Point" s);
  let list = with_tag 0x0000_0001_0000_0001L in
  match S.Point.decode list with Ok _ -> Alcotest.fail "a list tag" | Error _ -> ()

(* A far pointer to a null is an empty struct, in canonical form too; it is no list. *)
let far_to_null () =
  let far ~double = far ~double ~off:0 ~segment:1 in
  let tree = 0x0004_0000_0000_0000L in
  List.iter
    (fun (what, parts) ->
      let s = frame parts in
      let theirs = Tool.convert "binary:canonical" "kinds" "Tree" s in
      let m = Message.of_string s in
      Alcotest.(check string) what theirs (Canonical.of_message m);
      let m = Message.of_segment (Bytes.of_string theirs) ~off:0 ~len:(String.length theirs) in
      Alcotest.(check bool) (what ^ ", checked") true (Canonical.check m))
    [
      ("root", [ words [ far ~double:false ]; words [ 0L ] ]);
      ("amid nulls", [ words [ tree; 0L; far ~double:false; 0L; 0L ]; words [ 0L ] ]);
      ("last", [ words [ tree; 0L; 0L; 0L; far ~double:false ]; words [ 0L ] ]);
      ("double", [ words [ tree; 0L; far ~double:true; 0L; 0L ]; words [ far ~double:false; 0L ] ]);
    ];
  let list = frame [ words [ tree; 0L; 0L; 0L; far ~double:false ]; words [ 0L ] ] in
  match K.Tree.decode list with Ok _ -> Alcotest.fail "a list" | Error _ -> ()

let bad_far () =
  let bad name parts = malformed name (fun () -> S.Point.root (Message.of_string (frame parts))) in
  bad "no such segment" [ words [ far ~double:false ~off:0 ~segment:1 ] ];
  bad "outside" [ words [ far ~double:false ~off:1 ~segment:0 ] ];
  bad "far to far"
    [ words [ far ~double:false ~off:1 ~segment:0; far ~double:false ~off:0 ~segment:0 ] ];
  bad "itself" [ words [ far ~double:false ~off:0 ~segment:0 ] ];
  bad "a pad cut off"
    [ words [ far ~double:true ~off:1 ~segment:0; far ~double:false ~off:0 ~segment:0 ] ];
  bad "across segments" [ words [ 0x0000_0001_0000_0000L ]; words [ point_words ] ];
  bad "no segment at all" [ words [] ]

(* {1 Limits} *)

let limits () =
  (* A struct whose only pointer points back at it. *)
  let cycle =
    frame [ words [ 0x0003_0000_0000_0000L; 0x0003_0000_ffff_fff8L; 0x0003_0000_ffff_fff8L; 0L ] ]
  in
  (match K.Tree.decode cycle with Ok _ -> Alcotest.fail "a cycle" | Error _ -> ());
  let deep n =
    let rec grow (t : K.Tree.t) n = if n = 0 then t else grow { t with left = Some t } (n - 1) in
    K.Tree.encode (grow { K.Tree.default with value = Some (Number 1L) } n)
  in
  ignore (ok (K.Tree.decode (deep 60)));
  (match K.Tree.decode (deep 70) with
  | Ok _ -> Alcotest.fail "nested 71 deep"
  | Error e -> Alcotest.(check string) "why" "nested too deep" e.what);
  let m = Message.of_string ~traversal:20 (P.Payload.encode payload) in
  malformed "past the traversal limit" (fun () -> P.Payload.of_reader m (P.Payload.root m));
  (* Many pointers to one text: 4 words of list each, 1,000 bytes a pointer. *)
  let b = Builder.create () in
  let n = 1000 in
  let h = K.Kinds.init b in
  let l = K.Kinds.B.init_texts b h n in
  Builder.put_text b l 0 (String.make 1000 'x');
  let s = Bytes.of_string (Builder.to_string b) in
  let m = Message.of_string (Bytes.to_string s) in
  let texts = K.Kinds.R.texts m (K.Kinds.root m) in
  let first = (Blob.offset m (Items.text m texts 0) / 8) - n in
  let pointer i =
    Int64.logor
      (Int64.of_int (((n - 1 - i) lsl 2) lor 1))
      (Int64.shift_left (Int64.of_int ((1001 lsl 3) lor 2)) 32)
  in
  for i = 0 to n - 1 do
    Bytes.set_int64_le s (8 * (first + i)) (pointer i)
  done;
  match K.Kinds.decode (Bytes.to_string s) with
  | Ok _ -> Alcotest.fail "1 MB out of 9 KB"
  | Error e -> Alcotest.(check string) "why" "traversal limit reached" e.what

let truncated () =
  List.iter
    (fun (_, ty, bytes, decodes) ->
      for n = 0 to String.length bytes - 1 do
        malformed ty (fun () -> Message.of_string (String.sub bytes 0 n));
        (match Message.extent (Bytes.of_string bytes) ~off:0 ~len:n with
        | Need more -> if more <= n then Alcotest.failf "%s: %d bytes and no more" ty n
        | Whole _ -> Alcotest.failf "%s: whole after %d bytes" ty n);
        (* Short, but with a table that says so: pointers lead outside, or to less. *)
        if n land 7 = 0 && n > 8 then (
          let b = Bytes.of_string (String.sub bytes 0 n) in
          Bytes.set_int32_le b 4 (Int32.of_int ((n / 8) - 1));
          ignore (decodes (Bytes.to_string b)))
      done;
      let packed = Packed.pack bytes in
      for n = 0 to String.length packed - 1 do
        malformed ty (fun () ->
            Packed.message (Bytes.of_string (String.sub packed 0 n)) ~off:0 ~len:n)
      done;
      match Message.extent (Bytes.of_string bytes) ~off:0 ~len:(String.length bytes) with
      | Whole n -> Alcotest.(check int) "whole" (String.length bytes) n
      | Need _ -> Alcotest.fail "whole")
    values

(* {1 Fields} *)

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

(* That names.capnp's code compiles is half of its test. *)
let odd_names () =
  let module N = Capnp_corpus.Names_capnp in
  Alcotest.(check (list int))
    "constants" [ 7; 1; 2; 3; 4 ]
    [ N.Point.default.x; N.ignore_; N.read_point_; N.default1; N.point_of_int_ ];
  (* Its default has a field of the same default. *)
  Alcotest.(check bool) "a default ends" true (N.point = { x = 1; back = None });
  Alcotest.(check bool) "a default" true (N.Point.default = { x = 7; back = Some N.point });
  let b = Builder.create () in
  let h = N.Names.init b in
  let g = N.Names.B.ignore_ b h in
  N.Names.Ignore.B.set_inner b g (-5);
  N.Names.Ignore.Not.B.set_innermost b (N.Names.Ignore.B.not_ b g) false;
  N.Names.B.set_not_ b h true;
  let v = ok (N.Names.decode (Builder.to_string b)) in
  Alcotest.(check bool)
    "groups" true
    (v.not && v.usually && v.ignore.inner = -5 && not v.ignore.not.innermost);
  Alcotest.(check bool) "back" true (N.Names.decode (N.Names.encode v) = Ok v)

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

(* {1 Properties} *)

open QCheck2.Gen

let short_string = string_size ~gen:char (int_bound 20)

let gen_shape : K.Shape.t t =
  let point : S.Point.t t =
    map2 (fun x y -> point x y) (int_range (-2147483648) 2147483647) (int_range (-5) 5)
  in
  let clean = map (String.map (fun c -> if c = '\000' then '.' else c)) short_string in
  sized_size (int_bound 6)
  @@ fix (fun self n ->
      let which : K.Shape.which t =
        oneof
          ([
             map (fun f -> (Circle f : K.Shape.which)) float;
             map (fun l -> (Polygon l : K.Shape.which)) (list_size (int_bound 5) point);
             map (fun s -> (Named s : K.Shape.which)) clean;
             pure (Nothing : K.Shape.which);
             map2
               (fun a b -> (Box { width = a; height = b } : K.Shape.which))
               (int_bound 65535) (int_bound 65535);
           ]
          @
          if n = 0 then [] else [ map (fun s -> (Inner s : K.Shape.which)) (option (self (n - 1))) ]
          )
      in
      let* which = which and* area = float and* text = clean and* on = int_range (-100) 100 in
      pure
        ({ area; which; label = { text; colour = Green }; state = (if on < 0 then Off else On on) }
          : K.Shape.t))

let round_trip =
  QCheck2.Test.make ~count:300 ~name:"any shape, over any segments, packed or not"
    (pair gen_shape (int_range 1 60))
    (fun (v, segment_words) ->
      let b = Builder.create ~words:1 ~segment_words () in
      K.Shape.write b v;
      let s = Builder.to_string b in
      compare (ok (K.Shape.decode s)) v = 0
      && Packed.unpack (Packed.pack s) = s
      && Canonical.of_message (Message.of_string s)
         = Canonical.of_message (Message.of_string (K.Shape.encode v)))

(* {1 Fuzz} *)

let opened s =
  let m = Message.of_string s in
  K.Kinds.of_reader m (K.Kinds.root m)

(* Every way of reading is tried; none may raise but Message.Error, nor allocate past 16 times the
   input and 1 MB. *)
let fuzz () =
  let inputs = Array.of_list (List.map (fun (_, _, b, _) -> b) values) in
  let multi =
    let b = Builder.create ~segment_words:8 () in
    K.Kinds.write b kinds;
    Builder.to_string b
  in
  let inputs = Array.append inputs [| multi |] in
  let rng = Random.State.make [| Suite.iterations 7 |] in
  let attempt what f s =
    Words.check_small what ~bytes:(String.length s) @@ fun () ->
    match f s with
    | _ -> ()
    | exception Message.Error _ -> ()
    | exception e -> Alcotest.failf "%s: %s on %S" what (Printexc.to_string e) s
  in
  for _ = 1 to Suite.iterations 20_000 do
    let s = Bytes.of_string inputs.(Random.State.int rng (Array.length inputs)) in
    for _ = 0 to Random.State.int rng 6 do
      let i = Random.State.int rng (Bytes.length s) in
      match Random.State.int rng 4 with
      | 0 -> Bytes.set_uint8 s i (Random.State.int rng 256)
      | 1 -> Bytes.set_uint8 s i (Bytes.get_uint8 s i lxor (1 lsl Random.State.int rng 8))
      | 2 -> Bytes.set s i '\255'
      | _ ->
          Bytes.blit s
            (i land lnot 7)
            s
            (8 * Random.State.int rng (Bytes.length s / 8))
            (min 8 (Bytes.length s - (i land lnot 7)) land lnot 7)
    done;
    let s = Bytes.to_string s in
    let s =
      if Random.State.int rng 4 = 0 then String.sub s 0 (Random.State.int rng (String.length s))
      else s
    in
    let fail = function Ok _ -> () | Error e -> raise (Message.Error e) in
    attempt "kinds" (fun s -> fail (K.Kinds.decode s)) s;
    attempt "tree" (fun s -> fail (K.Tree.decode s)) s;
    attempt "shape" (fun s -> fail (K.Shape.decode s)) s;
    attempt "payload" (fun s -> ignore (visit (Message.of_string s))) s;
    attempt "canonical" (fun s -> ignore (Canonical.of_message (Message.of_string s))) s;
    attempt "kinds, as opened" (fun s -> ignore (opened s)) s;
    attempt "unpacked"
      (fun s -> ignore (Packed.message (Bytes.of_string s) ~off:0 ~len:(String.length s)))
      s
  done

let () =
  Suite.run "capnp"
    [
      ( "generator",
        [
          corpus "payload";
          corpus "shared";
          corpus "shapes";
          corpus "kinds";
          corpus "through";
          corpus "names";
          Suite.case "odd names" odd_names;
          Suite.case "the reader of its own request"
            (generated "gen/capnpc-weir" "gen/capnpc-weir" "schema");
        ] );
      ( "interop",
        [
          Suite.case "text there and back" text_there_and_back;
          Suite.case "packed, byte for byte" packed_there_and_back;
          Suite.case "canonical, byte for byte" canonical;
          Suite.case "as text" expected_text;
        ] );
      ( "segments",
        [
          Suite.case "many" many_segments;
          Suite.case "double far pointers" double_far;
          Suite.case "far pointers to null" far_to_null;
          Suite.case "bad far pointers" bad_far;
        ] );
      ( "limits",
        [ Suite.case "traversal and depth" limits; Suite.case "every truncation" truncated ] );
      ( "fields",
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
        ] );
      ("bounds", Bounds.cases);
      ("memory", Memory.cases);
      ("handles", Handles.cases);
      ("shared bytes", Shared.cases);
      ("random", [ Suite.qcheck round_trip; Suite.case "mutated messages" fuzz ]);
    ]
