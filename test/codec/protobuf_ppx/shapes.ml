(* Types of every shape that the deriver takes. *)

type b = bool [@@deriving protobuf]
type i1 = int [@@deriving protobuf]
type i2 = (int[@encoding `zigzag]) [@@deriving protobuf]
type i3 = (int[@encoding `bits32]) [@@deriving protobuf]
type i4 = (int[@encoding `bits64]) [@@deriving protobuf]
type l1 = (int32[@encoding `varint]) [@@deriving protobuf]
type l2 = (int32[@encoding `zigzag]) [@@deriving protobuf]
type l3 = Int32.t [@@deriving protobuf]
type l4 = (int32[@encoding `bits64]) [@@deriving protobuf]
type q1 = (int64[@encoding `varint]) [@@deriving protobuf]
type q2 = (int64[@encoding `zigzag]) [@@deriving protobuf]
type q3 = (int64[@encoding `bits32]) [@@deriving protobuf]
type q4 = Int64.t [@@deriving protobuf]
type f1 = (float[@encoding `bits32]) [@@deriving protobuf]
type f2 = float [@@deriving protobuf]
type s = string [@@deriving protobuf]
type y = bytes [@@deriving protobuf]
type o = int option [@@deriving protobuf]
type li = int list [@@deriving protobuf]
type ai = int array [@@deriving protobuf]
type ts = int * string [@@deriving protobuf]
type r1 = { r1a : int; [@key 1] r1b : string [@key 2] } [@@deriving protobuf]
type r2 = { r2a : r1 [@key 1] } [@@deriving protobuf]
type r3 = { r3a : (int[@encoding `bits32]) * string [@key 1] } [@@deriving protobuf]

type v1 = V1A [@key 1] | V1B [@key 2] | V1C of int [@key 3] | V1D of string * string [@key 4]
[@@deriving protobuf]

type v2 = V2A [@key 1] | V2B [@key 2]
and r4 = { r4a : v2 [@key 1] [@bare] } [@@deriving protobuf]

type 'a r5 = { r5a : 'a [@key 1] } [@@deriving protobuf]
type 'a mylist = Nil [@key 1] | Cons of 'a * 'a mylist [@key 2] [@@deriving protobuf]

type v3 = [ `V3A [@key 1] | `V3B of int [@key 2] | `V3C of string * string [@key 3] ]
[@@deriving protobuf]

type r6 = { r6a : [ `R6A [@key 1] | `R6B [@key 2] ] [@key 1] } [@@deriving protobuf]

type v4 = [ `V4A [@key 1] | `V4B [@key 2] ]
and r7 = { r7a : v4 [@key 1] [@bare] } [@@deriving protobuf]

type r8 = { r8a : [ `Request [@key 1] | `Reply [@key 2] ]; [@key 1] [@bare] r8b : int [@key 2] }
[@@deriving protobuf]

type v5 =
  | V5A of int option [@key 1]
  | V5B of string list [@key 2]
  | V5C of int array [@key 3]
  | V5D [@key 4]
[@@deriving protobuf]

type r9 = i1 r5 [@@deriving protobuf]

(* Arguments without a name of their own. *)
type a1 = (int * string) r5 [@@deriving protobuf]
type a2 = { a2a : int list r5; [@key 1] a2b : string option mylist [@key 2] } [@@deriving protobuf]
type a3 = [ `A3A [@key 1] | `A3B of int [@key 2] ] r5 [@@deriving protobuf]
type 'a a4 = ('a * int) array mylist r5 [@@deriving protobuf]
type a5 = i1 a4 [@@deriving protobuf]
type a6 = (int32[@encoding `varint]) r5 [@@deriving protobuf]
type d = (int[@default 42]) [@@deriving protobuf]
type p = (int list[@packed]) [@@deriving protobuf]

(* doc/protobuf.md's. *)
type colour = Red [@key 1] | Green [@key 2]

and shape =
  | Circle of float [@key 1]
  | Polygon of (float * float) list [@key 2]
  | Text of { content : string; [@key 1] size : int [@key 2] [@default 12] } [@key 3]

and drawing = {
  name : string; [@key 1]
  fill : colour option; [@key 2] [@bare]
  shapes : shape list; [@key 3]
  layers : int list; [@key 4] [@packed]
}
[@@deriving protobuf]
