open More
module G = QCheck2.Gen

type t = Subject : { name : string; codec : 'a Weir_protobuf.Codec.t; gen : 'a G.t } -> t

let subject name codec gen = Subject { name; codec; gen }
let ( let+ ) g f = G.map f g
let ( and+ ) = G.pair

(* Small numbers, edges of each width, anything. *)
let int =
  G.oneof
    [
      G.int_range (-200) 200;
      G.oneof_list
        [
          0;
          -1;
          max_int;
          min_int;
          0x7fffffff;
          -0x80000000;
          1 lsl 56;
          (1 lsl 55) - 1;
          1 lsl 61;
          -(1 lsl 61) - 1;
        ];
      G.int;
    ]

let int_32 =
  G.oneof
    [
      G.int_range (-200) 200;
      G.oneof_list [ 0x7fffffff; -0x80000000 ];
      G.int_range (-0x80000000) 0x7fffffff;
    ]

let int32 = G.map Int32.of_int int_32

let int64 =
  G.oneof [ G.map Int64.of_int int; G.oneof_list [ Int64.max_int; Int64.min_int ]; G.int64 ]

let int64_32 = G.map Int64.of_int int_32
let float = G.oneof [ G.float; G.oneof_list [ 0.; -0.; infinity; neg_infinity; 1e-310 ] ]
let single = G.map (fun x -> Int32.float_of_bits (Int32.bits_of_float x)) (G.float_range (-1e6) 1e6)

let string =
  let size = G.oneof [ G.int_range 0 5; G.int_range 120 140 ] in
  G.oneof
    [ G.string_size size; G.string_size ~gen:G.printable size; G.string_size ~gen:G.printable size ]

let bytes = G.map Bytes.of_string string
let list g = G.list_size (G.int_range 0 6) g
let array g = G.map Array.of_list (list g)
let colour = G.oneof_list Colour.[ Red; Green; Blue ]

let unsigned =
  let+ u1 = int32
  and+ u2 = int32
  and+ u3 = int64
  and+ u4 = int64
  and+ u5 = int32
  and+ u6 = int64_32 in
  { u1; u2; u3; u4; u5; u6 }

let rec tree value n =
  if n <= 0 then G.pure Tree.Leaf
  else
    let+ left = tree value (n / 2) and+ value' = value n and+ right = tree value (n / 3) in
    Tree.Node { left; value = value'; right }

let rec forest n =
  let+ name = string
  and+ trees =
    if n <= 0 then G.pure []
    else G.list_size (G.int_range 0 2) (tree (fun _ -> forest (n / 3)) (n / 2))
  and+ hue = colour in
  { name; trees; hue }

let pair g =
  let+ one = g and+ two = g in
  { one; two }

let user =
  let nested =
    G.oneof
      [
        G.map (fun x -> Flat x) int;
        G.map (fun x -> Deep (Flat x)) (pair int);
        G.map (fun x -> Deep (Deep (Flat x))) (pair (pair int));
      ]
  in
  let+ ints = G.option nested and+ pairs = list (pair colour) in
  { ints; pairs }

let rec both : 'a 'b. int -> 'a G.t -> 'b G.t -> ('a, 'b) both G.t =
 fun n a b ->
  let+ mine = list a
  and+ theirs = G.option b
  and+ swapped = if n = 0 then G.pure None else G.option (both (n - 1) b a) in
  { mine; theirs; swapped }

let rec expression n =
  let leaf = G.oneof [ G.map (fun x -> Number x) float; G.pure Unit ] in
  if n <= 0 then leaf
  else
    let sub = expression (n / 3) in
    let few = G.list_size (G.int_range 0 3) sub in
    G.oneof
      [
        leaf;
        G.map (fun l -> Sum l) few;
        (let+ callee = string and+ arguments = few in
         Call { callee; arguments });
        (let binding =
           let+ variable = string and+ value = sub in
           { variable; value }
         in
         let+ bindings = G.list_size (G.int_range 0 2) binding and+ e = sub in
         Where (bindings, e));
        (let+ a = int and+ b = string and+ c = G.bool in
         Pair (a, (b, c)));
        G.map (fun o -> Maybe o) (G.option (G.pair int string));
      ]

let settings =
  let+ level = G.oneof [ G.pure 3; int ]
  and+ ratio = G.oneof [ G.pure (-0.5); float ]
  and+ title = G.oneof [ G.pure "a \"b\"\n"; string ]
  and+ on = G.bool
  and+ colour = colour
  and+ most = G.oneof [ G.pure 8; int ]
  and+ shape = G.oneof [ G.pure `Round; G.map (fun n -> `Square n) (G.oneof [ G.pure 4; int ]) ]
  and+ raw = G.oneof [ G.pure (Bytes.of_string "xy"); bytes ]
  and+ small = int32
  and+ big = int64 in
  { level; ratio; title; on; colour; most; shape; raw; small; big }

let numbers =
  let+ n1 = list int and+ n2 = list int and+ n3 = list int_32 and+ n4 = array int and+ n5 = list G.bool
  and+ n6 = array float and+ n7 = list single and+ n8 = array int32 and+ n9 = list int64 and+ n10 = list int64
  and+ n11 = array int64 and+ n12 = list colour and+ n13 = array (G.oneof_list [ `X; `Y ]) and+ n14 = array string
  and+ n15 = list bytes and+ n16 = list (G.pair int float) and+ n17 = list int32 and+ n18 = list int32 in
  { n1; n2; n3; n4; n5; n6; n7; n8; n9; n10; n11; n12; n13; n14; n15; n16; n17; n18 }
[@@ocamlformat "disable"]

(* So many numbers that no one call reads them all. *)
let many g = G.oneof_weighted [ (9, list g); (1, G.list_size (G.int_range 300 1500) g) ]

let rec entry n =
  let+ e1 = G.option string
  and+ e2 = many int
  and+ e3 = G.option bytes
  and+ e4 = int
  and+ e5 = if n <= 0 then G.pure [] else G.list_size (G.int_range 0 3) (entry (n / 3))
  and+ e6 = G.map Array.of_list (many (G.int_range 0 300))
  and+ e7 = list string
  and+ e8 = list int
  and+ e9 = G.option string in
  { e1; e2; e3; e4; e5; e6; e7; e8; e9 }

let v1 =
  G.oneof
    [
      G.oneof_list Shapes.[ V1A; V1B ];
      G.map (fun n -> Shapes.V1C n) int;
      G.map (fun (a, b) -> Shapes.V1D (a, b)) (G.pair string string);
    ]

let v3 =
  G.oneof
    [
      G.pure `V3A;
      G.map (fun n -> `V3B n) int;
      G.map (fun (a, b) -> `V3C (a, b)) (G.pair string string);
    ]

let v5 =
  G.oneof
    [
      G.map (fun o -> Shapes.V5A o) (G.option int);
      G.map (fun l -> Shapes.V5B l) (list string);
      G.map (fun l -> Shapes.V5C l) (array int);
      G.pure Shapes.V5D;
    ]

let rec mylist n =
  if n = 0 then G.pure Shapes.Nil
  else G.map (fun (x, l) -> Shapes.Cons (x, l)) (G.pair int (mylist (n - 1)))

let all =
  Shapes.
    [
      subject "i1" i1_protobuf int;
      subject "i2" i2_protobuf int;
      subject "i3" i3_protobuf int_32;
      subject "i4" i4_protobuf int;
      subject "l1" l1_protobuf int32;
      subject "l2" l2_protobuf int32;
      subject "l3" l3_protobuf int32;
      subject "l4" l4_protobuf int32;
      subject "q1" q1_protobuf int64;
      subject "q2" q2_protobuf int64;
      subject "q3" q3_protobuf int64_32;
      subject "q4" q4_protobuf int64;
      subject "f1" f1_protobuf single;
      subject "f2" f2_protobuf float;
      subject "y" y_protobuf bytes;
      subject "o" o_protobuf (G.option int);
      subject "r3" r3_protobuf (G.map (fun p -> { r3a = p }) (G.pair int_32 string));
      subject "v1" v1_protobuf v1;
      subject "v3" v3_protobuf v3;
      subject "v5" v5_protobuf v5;
      subject "r6" r6_protobuf (G.map (fun r6a -> { r6a }) (G.oneof_list [ `R6A; `R6B ]));
      subject "mylist" (mylist_protobuf i1_protobuf) (G.bind (G.int_range 0 20) mylist);
      subject "a1" a1_protobuf (G.map (fun r5a -> { r5a }) (G.pair int string));
      subject "a5" a5_protobuf
        (G.map
           (fun l -> { r5a = List.fold_right (fun a l -> Cons (a, l)) l Nil })
           (G.list_size (G.int_bound 3) (G.array_size (G.int_bound 3) (G.pair int int))));
      subject "r5 of string"
        (r5_protobuf Weir_protobuf.Unsafe.Derived.string_protobuf)
        (G.map (fun r5a -> { r5a }) string);
      subject "unsigned" unsigned_protobuf unsigned;
      subject "forest" forest_protobuf (forest 12);
      subject "user" user_protobuf user;
      subject "both" (both_protobuf i1_protobuf Colour.protobuf) (both 3 int colour);
      subject "expression" expression_protobuf (expression 30);
      subject "settings" settings_protobuf settings;
      subject "numbers" numbers_protobuf numbers;
      subject "entry" entry_protobuf (entry 3);
    ]
