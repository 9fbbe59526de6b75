open Ppxlib
open Model

let wire_type = function
  | Scalar (_, (Varint | Zigzag)) | Enum _ -> 0
  | Scalar (_, Bits64) -> 1
  | Scalar (_, Blob) | Message _ -> 2
  | Scalar (_, Bits32) -> 5

(* An int of the encoding [e], from [v] (what was read) or the bytes at [p]. *)
let as_int loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Derived.int v s p]
  | Zigzag -> [%expr Weir_protobuf.Derived.zigzag v s p]
  | Bits32 -> [%expr Weir_protobuf.Decode.sfixed32 s p]
  | Bits64 | Blob -> [%expr Weir_protobuf.Derived.int_of_int64 p (Weir_protobuf.Decode.fixed64 s p)]

let as_int32 loc e =
  match e with
  | Bits32 -> [%expr Stdlib.Int32.of_int [%e as_int loc e]]
  | Varint | Zigzag | Bits64 | Blob ->
      [%expr Stdlib.Int32.of_int (Weir_protobuf.Derived.in_32 p [%e as_int loc e])]

let as_int64 loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Decode.int64 s p w]
  | Zigzag -> [%expr Weir_protobuf.Decode.sint64 s p w]
  | Bits32 -> [%expr Stdlib.Int64.of_int (Weir_protobuf.Decode.sfixed32 s p)]
  | Bits64 | Blob -> [%expr Weir_protobuf.Decode.fixed64 s p]

let scalar loc (s : scalar) e =
  match s with
  | Bool -> [%expr Weir_protobuf.Decode.bool v]
  | Int -> as_int loc e
  | Int32 -> as_int32 loc e
  | Uint32 when e = Varint ->
      [%expr
        Uint32.of_int32 (Stdlib.Int32.of_int (Weir_protobuf.Derived.in_u32 p [%e as_int loc e]))]
  | Uint32 -> [%expr Uint32.of_int32 [%e as_int32 loc e]]
  | Int64 -> as_int64 loc e
  | Uint64 -> [%expr Uint64.of_int64 [%e as_int64 loc e]]
  | Float when e = Bits32 -> [%expr Weir_protobuf.Decode.float s p]
  | Float -> [%expr Weir_protobuf.Decode.double s p]
  | String -> [%expr Weir_protobuf.Decode.bytes s from (Weir_protobuf.Decode.value n)]
  | Bytes ->
      [%expr
        Stdlib.Bytes.unsafe_of_string
          (Weir_protobuf.Decode.bytes s from (Weir_protobuf.Decode.value n))]

(* [store] of the value at [p], then [go] of the position behind it. *)
let value c loc ty ~store ~go =
  let fixed size v =
    [%expr
      Weir_protobuf.Decode.need [%e Code.int loc size] p limit;
      [%e store v];
      [%e go [%expr p + [%e Code.int loc size]]]]
  in
  let varint v =
    [%expr
      let v = Weir_protobuf.Decode.varint s p limit in
      [%e store v];
      [%e go [%expr p + Weir_protobuf.Decode.width v]]]
  in
  match ty with
  | Scalar (((Int64 | Uint64) as s), ((Varint | Zigzag) as e)) ->
      [%expr
        let w = Weir_protobuf.Decode.varint_width s p limit in
        [%e store (scalar loc s e)];
        [%e go [%expr p + w]]]
  | Scalar (s, ((Varint | Zigzag) as e)) -> varint (scalar loc s e)
  | Scalar (s, (Bits32 as e)) -> fixed 4 (scalar loc s e)
  | Scalar (s, (Bits64 as e)) -> fixed 8 (scalar loc s e)
  | Enum e -> varint (Code.enum loc e (`Of_int ([%expr p], [%expr Weir_protobuf.Decode.value v])))
  | Scalar (s, (Blob as e)) ->
      [%expr
        let n = Weir_protobuf.Decode.length s p limit in
        let from = p + Weir_protobuf.Decode.width n in
        [%e store (scalar loc s e)];
        [%e go [%expr from + Weir_protobuf.Decode.value n]]]
  | Message m ->
      [%expr
        let n = Weir_protobuf.Decode.length s p limit in
        let from = p + Weir_protobuf.Decode.width n in
        let stop = from + Weir_protobuf.Decode.value n in
        [%e
          store
            (Code.reader c loc m
               [
                 [%expr s]; [%expr from]; [%expr stop]; [%expr Weir_protobuf.Decode.deeper depth p];
               ])];
        [%e go [%expr stop]]]

let go_on loc next = [%expr pos := [%e next]]

(* A packed block read at once, where the runtime has a function for it. *)
let whole_block loc ty =
  match ty with
  | Scalar (Int, Varint) -> Some [%expr Weir_protobuf.Derived.packed_int]
  | Scalar (Int, Bits32) -> Some [%expr Weir_protobuf.Decode.packed_sfixed32]
  | Scalar (Bool, _) -> Some [%expr Weir_protobuf.Decode.packed_bool]
  | Scalar (Int64, Varint) -> Some [%expr Weir_protobuf.Decode.packed_int64]
  | Scalar (Int64, Zigzag) -> Some [%expr Weir_protobuf.Decode.packed_sint64]
  | Scalar (Int64, Bits64) -> Some [%expr Weir_protobuf.Decode.packed_fixed64]
  | Scalar (Float, Bits32) -> Some [%expr Weir_protobuf.Decode.packed_float]
  | Scalar (Float, _) -> Some [%expr Weir_protobuf.Decode.packed_double]
  | Scalar _ | Enum _ | Message _ -> None

let has_block f =
  (match f.count with List | Array -> true | Required | Optional -> false)
  && whole_block f.loc f.ty <> None
