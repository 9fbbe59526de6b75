open Ppxlib
open Model

let rec varint_bytes v = if v < 128 then [ v ] else (v land 127 lor 128) :: varint_bytes (v lsr 7)
let tag_size f = List.length (varint_bytes (f.key lsl 3))

(* The tag, backwards, ends the writing of a field. *)
let put_tag loc key wire =
  let tag = (key lsl 3) lor wire in
  match varint_bytes tag with
  | [ a ] -> [%expr Weir_protobuf.Unsafe.Encode.byte b pos [%e Code.int loc a]]
  | [ a; z ] ->
      [%expr
        Weir_protobuf.Unsafe.Encode.byte b
          (Weir_protobuf.Unsafe.Encode.byte b pos [%e Code.int loc z])
          [%e Code.int loc a]]
  | _ -> [%expr Weir_protobuf.Unsafe.Encode.varint b pos [%e Code.int loc tag]]

(* -- one value ------------------------------------------------------------- *)

type size = Fixed of int | Varies of expression

let int_of_32 loc v = [%expr Stdlib.Int32.to_int [%e v]]

let int_size loc e v =
  match e with
  | Varint -> Varies [%expr Weir_protobuf.Unsafe.Derived.size_int [%e v]]
  | Zigzag -> Varies [%expr Weir_protobuf.Unsafe.Derived.size_zigzag [%e v]]
  | Bits32 -> Fixed 4
  | Bits64 | Blob -> Fixed 8

let int64_size loc e v =
  match e with
  | Varint -> Varies [%expr Weir_protobuf.Unsafe.Encode.size_int64 [%e v]]
  | Zigzag -> Varies [%expr Weir_protobuf.Unsafe.Encode.size_sint64 [%e v]]
  | Bits32 -> Fixed 4
  | Bits64 | Blob -> Fixed 8

let scalar_size loc (s : scalar) e v =
  match s with
  | Bool -> Fixed 1
  | Int -> int_size loc e v
  | Int32 -> int_size loc e (int_of_32 loc v)
  | Uint32 -> int_size loc e (int_of_32 loc [%expr Uint32.to_int32 [%e v]])
  | Int64 -> int64_size loc e v
  | Uint64 -> int64_size loc e [%expr Uint64.to_int64 [%e v]]
  | Float -> Fixed (if e = Bits32 then 4 else 8)
  | String -> Varies [%expr Weir_protobuf.Unsafe.Encode.size_text [%e v]]
  | Bytes ->
      Varies [%expr Weir_protobuf.Unsafe.Encode.size_text (Stdlib.Bytes.unsafe_to_string [%e v])]

let value_size c loc ty v =
  match ty with
  | Scalar (s, e) -> scalar_size loc s e v
  | Enum e ->
      Varies [%expr Weir_protobuf.Unsafe.Encode.size_varint [%e Code.enum loc e (`To_int v)]]
  | Message m -> Varies [%expr Weir_protobuf.Unsafe.Encode.size_block [%e Code.sizer c loc m v]]

let add loc ~sum ~tag size =
  match size with
  | Fixed n -> [%expr [%e sum] + [%e Code.int loc (tag + n)]]
  | Varies e -> [%expr [%e sum] + [%e Code.int loc tag] + [%e e]]

let int_put loc e v =
  match e with
  | Varint -> [%expr Weir_protobuf.Unsafe.Encode.int b pos [%e v]]
  | Zigzag -> [%expr Weir_protobuf.Unsafe.Derived.put_zigzag b pos [%e v]]
  | Bits32 -> [%expr Weir_protobuf.Unsafe.Encode.sfixed32 b pos [%e v]]
  | Bits64 | Blob -> [%expr Weir_protobuf.Unsafe.Encode.fixed64 b pos (Stdlib.Int64.of_int [%e v])]

let int64_put loc e v =
  match e with
  | Varint -> [%expr Weir_protobuf.Unsafe.Encode.int64 b pos [%e v]]
  | Zigzag -> [%expr Weir_protobuf.Unsafe.Encode.sint64 b pos [%e v]]
  | Bits32 ->
      [%expr
        Weir_protobuf.Unsafe.Encode.sfixed32 b pos (Weir_protobuf.Unsafe.Derived.narrow [%e v])]
  | Bits64 | Blob -> [%expr Weir_protobuf.Unsafe.Encode.fixed64 b pos [%e v]]

let scalar_put loc (s : scalar) e v =
  match s with
  | Bool -> [%expr Weir_protobuf.Unsafe.Encode.bool b pos [%e v]]
  | Int -> int_put loc e v
  | Int32 -> int_put loc e (int_of_32 loc v)
  | Uint32 -> int_put loc e (int_of_32 loc [%expr Uint32.to_int32 [%e v]])
  | Int64 -> int64_put loc e v
  | Uint64 -> int64_put loc e [%expr Uint64.to_int64 [%e v]]
  | Float when e = Bits32 -> [%expr Weir_protobuf.Unsafe.Encode.float b pos [%e v]]
  | Float -> [%expr Weir_protobuf.Unsafe.Encode.double b pos [%e v]]
  | String -> [%expr Weir_protobuf.Unsafe.Encode.text b pos [%e v]]
  | Bytes -> [%expr Weir_protobuf.Unsafe.Encode.text b pos (Stdlib.Bytes.unsafe_to_string [%e v])]

(* A length-delimited thing: [body] is written, then its length, then the tag. *)
let put_block loc key body =
  if key < 16 then
    let tag = Code.int loc ((key lsl 3) lor 2) in
    [%expr Weir_protobuf.Unsafe.Derived.put_block b pos [%e body] [%e tag]]
  else
    [%expr
      let stop = pos in
      let pos = [%e body] in
      let pos = Weir_protobuf.Unsafe.Encode.varint b pos (stop - pos) in
      [%e put_tag loc key 2]]

let put_bare c loc ty v =
  match ty with
  | Scalar (s, e) -> scalar_put loc s e v
  | Enum e -> [%expr Weir_protobuf.Unsafe.Encode.varint b pos [%e Code.enum loc e (`To_int v)]]
  | Message m -> Code.writer c loc m [ [%expr b]; [%expr pos]; v ]

let put c loc f v =
  match f.ty with
  | Message _ -> put_block loc f.key (put_bare c loc f.ty v)
  | (Scalar ((String as s), _) | Scalar ((Bytes as s), _)) when f.key < 16 ->
      let v = if s = Bytes then [%expr Stdlib.Bytes.unsafe_to_string [%e v]] else v in
      [%expr
        Weir_protobuf.Unsafe.Derived.put_text b pos [%e Code.int loc ((f.key lsl 3) lor 2)] [%e v]]
  | Scalar _ | Enum _ ->
      [%expr
        let pos = [%e put_bare c loc f.ty v] in
        [%e put_tag loc f.key (Read_value.wire_type f.ty)]]
