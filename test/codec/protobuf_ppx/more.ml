(* Shapes beyond the old library's tests: several modules, recursion through
   parameters, inline records, unsigned integers, computed defaults. *)

module Uint32 = struct
  type t = int32

  let of_int32 (x : int32) : t = x
  let to_int32 (x : t) : int32 = x
end

module Uint64 = struct
  type t = int64

  let of_int64 (x : int64) : t = x
  let to_int64 (x : t) : int64 = x
end

type unsigned = {
  u1 : Uint32.t; [@key 1] [@encoding `varint]
  u2 : Uint32.t; [@key 2]
  u3 : Uint64.t; [@key 3] [@encoding `varint]
  u4 : Uint64.t; [@key 4]
  u5 : Uint32.t; [@key 5] [@encoding `zigzag]
  u6 : Uint64.t; [@key 6] [@encoding `bits32]
}
[@@deriving protobuf]

module Colour = struct
  type t = Red [@key 1] | Green [@key 2] | Blue [@key 300] [@@deriving protobuf]
end

module Tree = struct
  type 'a t =
    | Leaf [@key 1]
    | Node of { left : 'a t; [@key 1] value : 'a; [@key 2] right : 'a t [@key 3] } [@key 2]
  [@@deriving protobuf]
end

(* A forest whose trees hold forests: recursion through another module's parameter. *)
type forest = {
  name : string; [@key 1]
  trees : forest Tree.t list; [@key 2]
  hue : Colour.t; [@key 3] [@bare]
}
[@@deriving protobuf]

(* Recursion at another instance. *)
type 'a pair = { one : 'a; [@key 1] two : 'a [@key 2] }
and 'a nested = Flat of 'a [@key 1] | Deep of 'a pair nested [@key 2]

and user = { ints : int nested option; [@key 1] pairs : Colour.t pair list [@key 2] }
[@@deriving protobuf]

(* Parameters that change places. *)
type ('a, 'b) both = {
  mine : 'a list; [@key 1]
  theirs : 'b option; [@key 2]
  swapped : ('b, 'a) both option; [@key 3]
}
[@@deriving protobuf]

type expression =
  | Number of float [@key 1]
  | Sum of expression list [@key 2]
  | Call of { callee : string; [@key 1] arguments : expression list [@key 2] } [@key 3]
  | Where of bindings * expression [@key 4]
  | Pair of (int * (string * bool)) [@key 5]
  | Maybe of (int * string) option [@key 6]
  | Unit [@key 20000]

and bindings = binding list
and binding = { variable : string; [@key 1] value : expression [@key 2] } [@@deriving protobuf]

let limit () = String.length "four" * 2

type settings = {
  level : int; [@key 1] [@default 3]
  ratio : float; [@key 2] [@default -0.5]
  title : string; [@key 3] [@default "a \"b\"\n"]
  on : bool; [@key 4] [@default true]
  colour : Colour.t; [@key 5] [@bare] [@default Colour.Green]
  most : int; [@key 6] [@default limit ()]
  shape : [ `Round [@key 1] | `Square of int [@key 2] ]; [@key 7] [@default `Square 4]
  raw : bytes; [@key 8] [@default Bytes.of_string "xy"]
  small : int32; [@key 9] [@encoding `varint] [@default 7l]
  big : int64; [@key 10] [@default 8L]
}
[@@deriving protobuf { proto = true }]

type numbers = {
  n1 : int list; [@key 1] [@packed]
  n2 : (int list[@encoding `zigzag]); [@key 2] [@packed]
  n3 : (int list[@encoding `bits32]); [@key 3] [@packed]
  n4 : (int array[@encoding `bits64]); [@key 4] [@packed]
  n5 : bool list; [@key 5] [@packed]
  n6 : float array; [@key 6] [@packed]
  n7 : (float list[@encoding `bits32]); [@key 7]
  n8 : (int32 array[@encoding `zigzag]); [@key 8]
  n9 : (int64 list[@encoding `varint]); [@key 9] [@packed]
  n10 : (int64 list[@encoding `zigzag]); [@key 10] [@packed]
  n11 : int64 array; [@key 11]
  n12 : Colour.t list; [@key 12] [@bare] [@packed]
  n13 : [ `X [@key 1] | `Y [@key 2] ] array; [@key 13] [@bare]
  n14 : string array; [@key 14]
  n15 : bytes list; [@key 15]
  n16 : (int * float) list; [@key 16]
  n17 : int32 list; [@key 2000] [@packed]
  n18 : (int32 list[@encoding `varint]); [@key 536870911]
}
[@@deriving protobuf]

(* What has a way of its own in generated code: options of strings, ints with
   a tag each, tags of one byte and of two. *)
type entry = {
  e1 : string option; [@key 1]
  e2 : int list; [@key 2]
  e3 : bytes option; [@key 3]
  e4 : int; [@key 4]
  e5 : entry list; [@key 5]
  e6 : int array; [@key 6]
  e7 : string list; [@key 15]
  e8 : int list; [@key 16]
  e9 : string option; [@key 17]
}
[@@deriving protobuf]

(* More required fields than one word of bits counts. *)
type wide = {
  w01 : int; [@key 1] w02 : int; [@key 2] w03 : int; [@key 3] w04 : int; [@key 4]
  w05 : int; [@key 5] w06 : int; [@key 6] w07 : int; [@key 7] w08 : int; [@key 8]
  w09 : int; [@key 9] w10 : int; [@key 10] w11 : int; [@key 11] w12 : int; [@key 12]
  w13 : int; [@key 13] w14 : int; [@key 14] w15 : int; [@key 15] w16 : int; [@key 16]
  w17 : int; [@key 17] w18 : int; [@key 18] w19 : int; [@key 19] w20 : int; [@key 20]
  w21 : int; [@key 21] w22 : int; [@key 22] w23 : int; [@key 23] w24 : int; [@key 24]
  w25 : int; [@key 25] w26 : int; [@key 26] w27 : int; [@key 27] w28 : int; [@key 28]
  w29 : int; [@key 29] w30 : int; [@key 30] w31 : int; [@key 31] w32 : int; [@key 32]
  w33 : int; [@key 33] w34 : int; [@key 34] w35 : int; [@key 35] w36 : int; [@key 36]
  w37 : int; [@key 37] w38 : int; [@key 38] w39 : int; [@key 39] w40 : int; [@key 40]
  w41 : int; [@key 41] w42 : int; [@key 42] w43 : int; [@key 43] w44 : int; [@key 44]
  w45 : int; [@key 45] w46 : int; [@key 46] w47 : int; [@key 47] w48 : int; [@key 48]
  w49 : int; [@key 49] w50 : int; [@key 50] w51 : int; [@key 51] w52 : int; [@key 52]
  w53 : int; [@key 53] w54 : int; [@key 54] w55 : int; [@key 55] w56 : int; [@key 56]
  w57 : int; [@key 57] w58 : int; [@key 58] w59 : int; [@key 59] w60 : int; [@key 60]
  w61 : int; [@key 61] w62 : int; [@key 62]
}
[@@deriving protobuf]
[@@ocamlformat "disable"]

(* Names that generated code uses, other derivers' attributes, a shadowed
   operator, a type that hides another. *)
type t = { pos : int; [@protobuf.key 1] [@key "other"] s : string; [@key 2] limit' : int [@key 3] }
[@@deriving protobuf]

module Shadow = struct
  let ( + ) = ( ^ )
  let ( ! ) = not

  module List = struct end
  module Array = struct end

  type nonrec t = { inner : t list; [@key 1] most : int array [@key 2] } [@@deriving protobuf]

  let _ = ("a" + "b", !true)
end

module type ELEMENT = sig
  type t [@@deriving protobuf]
  type 'a box [@@deriving protobuf]
  type e = A [@key 1] | B [@key 2] [@@deriving protobuf { proto }]
end

module Collection (E : ELEMENT) = struct
  type t = {
    items : E.t list; [@key 1]
    boxed : string E.box option; [@key 2]
    e : E.e; [@key 3] [@bare]
  }
  [@@deriving protobuf]
end

module Element = struct
  type t = int [@@deriving protobuf]
  type 'a box = 'a list [@@deriving protobuf]
  type e = A [@key 1] | B [@key 2] [@@deriving protobuf { proto }]
end

module Collected = Collection (Element)
