open Ppxlib
open Model

let wire_type = function
  | Scalar (_, (Varint | Zigzag)) | Enum _ -> 0
  | Scalar (_, Bits64) -> 1
  | Scalar (_, Blob) | Message _ -> 2
  | Scalar (_, Bits32) -> 5

(* An int of the encoding [e]: the number [v] between [from] and [p], or the bytes
   at [from]. *)
let as_int loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Unsafe.Derived.int v s from p]
  | Zigzag -> [%expr Weir_protobuf.Unsafe.Derived.zigzag v s from p]
  | Bits32 -> [%expr Weir_protobuf.Unsafe.Decode.sfixed32 s from]
  | Bits64 | Blob ->
      [%expr
        Weir_protobuf.Unsafe.Derived.int_of_int64 from (Weir_protobuf.Unsafe.Decode.fixed64 s from)]

let as_int32 loc e =
  match e with
  | Bits32 -> [%expr Stdlib.Int32.of_int [%e as_int loc e]]
  | Varint | Zigzag | Bits64 | Blob ->
      [%expr Stdlib.Int32.of_int (Weir_protobuf.Unsafe.Derived.in_32 from [%e as_int loc e])]

let as_int64 loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Unsafe.Decode.wide v s from p]
  | Zigzag -> [%expr Weir_protobuf.Unsafe.Decode.wide_zigzag v s from p]
  | Bits32 -> [%expr Stdlib.Int64.of_int (Weir_protobuf.Unsafe.Decode.sfixed32 s from)]
  | Bits64 | Blob -> [%expr Weir_protobuf.Unsafe.Decode.fixed64 s from]

let scalar loc (s : scalar) e =
  match s with
  | Bool -> [%expr not (v = 0)]
  | Int -> as_int loc e
  | Int32 -> as_int32 loc e
  | Uint32 when e = Varint ->
      [%expr
        Uint32.of_int32
          (Stdlib.Int32.of_int (Weir_protobuf.Unsafe.Derived.in_u32 from [%e as_int loc e]))]
  | Uint32 -> [%expr Uint32.of_int32 [%e as_int32 loc e]]
  | Int64 -> as_int64 loc e
  | Uint64 -> [%expr Uint64.of_int64 [%e as_int64 loc e]]
  | Float when e = Bits32 -> [%expr Weir_protobuf.Unsafe.Decode.float s from]
  | Float -> [%expr Weir_protobuf.Unsafe.Decode.double s from]
  | String -> [%expr Weir_protobuf.Unsafe.Decode.raw s p v limit]
  | Bytes -> [%expr Stdlib.Bytes.unsafe_of_string (Weir_protobuf.Unsafe.Decode.raw s p v limit)]

(* [go] of the position behind the value, and [store] of it. *)
let value c loc ty ~store ~go =
  let plain next v =
    [%expr
      [%e go next];
      [%e store v]]
  in
  let fixed size v =
    [%expr
      Weir_protobuf.Unsafe.Decode.need [%e Code.int loc size] from limit;
      [%e plain [%expr from + [%e Code.int loc size]] v]]
  in
  match ty with
  | Scalar (s, ((Varint | Zigzag) as e)) -> plain [%expr p] (scalar loc s e)
  | Scalar (s, (Bits32 as e)) -> fixed 4 (scalar loc s e)
  | Scalar (s, (Bits64 as e)) -> fixed 8 (scalar loc s e)
  | Scalar (s, (Blob as e)) -> plain [%expr p + v] (scalar loc s e)
  | Enum e -> plain [%expr p] (Code.enum loc e (`Of_int ([%expr from], [%expr v])))
  | Message m ->
      let read = Code.reader c loc m [ [%expr s]; [%expr p]; [%expr stop]; [%expr depth - 1] ] in
      [%expr
        let stop = Weir_protobuf.Unsafe.Decode.inside s p v limit depth in
        [%e plain [%expr stop] read]]

let go_on loc next = [%expr pos := [%e next]]

(* A packed block read at once, where the runtime has a function for it. *)
let whole_block loc ty =
  match ty with
  | Scalar (Int, Varint) -> Some [%expr Weir_protobuf.Unsafe.Derived.packed_int]
  | Scalar (Int, Bits32) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_sfixed32]
  | Scalar (Bool, _) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_bool]
  | Scalar (Int64, Varint) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_int64]
  | Scalar (Int64, Zigzag) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_sint64]
  | Scalar (Int64, Bits64) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_fixed64]
  | Scalar (Float, Bits32) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_float]
  | Scalar (Float, _) -> Some [%expr Weir_protobuf.Unsafe.Number_lists.read_double]
  | Scalar _ | Enum _ | Message _ -> None

(* Elements with a tag each that the runtime has a function for. *)
let has_run f =
  match f.count with
  | List | Array -> (not f.packed) && f.ty = Scalar (Int, Varint) && f.key < 16
  | Required | Optional -> false

let has_block f = (f.packed && whole_block f.loc f.ty <> None) || has_run f
