module K = Capnp_corpus.Kinds_capnp
module S = Capnp_corpus.Shapes_capnp
module P = Capnp_corpus.Payload_capnp

let point x y : S.Point.t = { x; y }

let text s =
  let b = Weir_capnp.Builder.create () in
  Weir_capnp.Builder.new_text b Weir_capnp.Builder.first s;
  Weir_capnp.Any.of_builder b

let kinds : K.Kinds.t =
  {
    flag = true;
    tiny = -128;
    short = -32768;
    word = -2147483648;
    long = Int64.min_int;
    byte = 255;
    half = 65535;
    unsigned = 4294967295;
    wide = -1L;
    single = 0.5;
    double = -1e300;
    text = "h\xc3\xa9llo";
    data = "\000\001\255";
    colour = Green;
    point = Some (point 1 (-2));
    anything = text "any";
    voids = 3;
    flags = Weir_capnp.Bits.of_list [ true; false; true; true; false; false; false; true; true ];
    tinies = "\127\128";
    shorts = [ 1; -1; 300 ];
    words = [ 7; -7; 100000 ];
    longs = [ 5L; Int64.max_int ];
    bytes = "\000\255\003";
    halves = [ 65535; 1 ];
    unsigneds = [ 4294967295; 0; 1 ];
    wides = [ -1L; 0L ];
    singles = [ 1.5; -0.25; 3. ];
    doubles = [ 1.25; 1e-300 ];
    texts = [ "a"; ""; "longer than a word" ];
    datas = [ ""; "\000" ];
    colours = [ Red; None; Green ];
    points = [ point 1 2; point 3 4; point 0 0 ];
    matrix = [ [ 1; 2; 3 ]; []; [ -4 ] ];
    grids = [ [ [ point 9 9 ]; [] ]; [ [ point 0 0; point 1 1 ] ] ];
    end_ = "end";
    empty = Some ();
    empties = [ (); () ];
  }

let shapes : K.Shape.t list =
  let shape which state : K.Shape.t =
    { area = 2.; label = { text = "label"; colour = Green }; state; which }
  in
  let nothing = shape Nothing Off in
  [
    nothing;
    shape (Circle 1.5) (On (-3));
    shape (Polygon [ point 1 2; point 3 4 ]) Off;
    shape (Named "round") Off;
    shape (Box { width = 3; height = 65535 }) (On 9);
    shape (Inner (Some { nothing with which = Square 4. })) Off;
  ]

let rec tree depth : K.Tree.t =
  {
    value =
      Some
        (if depth land 1 = 0 then Number (Int64.of_int depth)
         else List [ Number 1L; Option (Some { key = "k"; level = Low }); List [] ]);
    left = (if depth = 0 then Option.none else Some (tree (depth - 1)));
    right = Option.none;
    children = (if depth < 2 then [] else [ tree (depth - 2); K.Tree.default ]);
  }

let payload : P.Payload.t =
  {
    first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567L;
    fifth =
      [
        { a = String.make 1000 'A'; b = "deuxieme"; c = ""; d = "" };
        { a = ""; b = ""; c = String.make 500 'B'; d = "quatrieme" };
        { a = "premier"; b = "deuxieme"; c = ""; d = "" };
        { a = ""; b = ""; c = "troisieme"; d = "quatrieme" };
      ];
    sixth = [ 1234L; 2345L; 3456L; 4567L; 5678L; 6789L; 7890L ];
  }

(* {1 Every value of the corpus} *)

open Weir_capnp

let ok = function Ok v -> v | Error e -> Alcotest.failf "%a" Message.pp_error e

let malformed name f =
  match f () with _ -> Alcotest.failf "%s was accepted" name | exception Message.Error _ -> ()

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

(* {1 Messages by hand} *)

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
