open Model
open Printf

let scalar f =
  match f.kind with
  | Scalar k | Slice k -> k
  | Enum _ | Message _ | Delimited _ -> invalid_arg "Array_field"

let element f = { f with kind = Scalar (scalar f) }
let is_slice f = match f.kind with Slice _ -> true | _ -> false

let forms f =
  match scalar f with
  | Double -> if is_slice f then "float64s" else "floats"
  | Float -> "float32s"
  | Fixed32 | Sfixed32 -> "int32s"
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> "int64s"
  | Bool -> "bools"
  | _ -> "ints"

let empty f =
  match forms f with "ints" | "bools" -> "[||]" | forms -> "Weir_protobuf.Arrays.no_" ^ forms

let length f array =
  match forms f with
  | "ints" | "bools" -> sprintf "A'.length %s" array
  | forms -> sprintf "A'.%s_length %s" forms array

let is_empty f array = sprintf "%s = 0" (length f array)
let fresh f = sprintf "A'.%s ()" (forms f)

let add f collected v =
  let forms = forms f in
  sprintf "A'.add_%s %s (%s)" (String.sub forms 0 (String.length forms - 1)) collected v

let add_packed f collected ~packed =
  let k = match scalar f with Sfixed32 -> Weir_protobuf.Descriptor.Fixed32 | k -> k in
  sprintf "A'.%s_%s %s s p stop" (if is_slice f then "sliced" else "packed") (packed k) collected

let all f before collected = sprintf "A'.all_%s %s %s" (forms f) before collected

let list f array =
  sprintf "(A'.%s_to_list %s)" (if scalar f = Fixed32 then "uint32s" else forms f) array

let of_list f l = sprintf "(A'.%s_of_list %s)" (forms f) l

let written f =
  match scalar f with
  | Int32 -> "int32"
  | Uint32 -> "uint32"
  | Sint32 -> "sint32"
  | Int64 | Uint64 -> "int64"
  | Sint64 -> "sint64"
  | Bool -> "bool"
  | Fixed32 | Sfixed32 -> "fixed32"
  | Float -> "float"
  | Fixed64 | Sfixed64 -> "fixed64"
  | Double -> if is_slice f then "float64" else "double"
  | String | Bytes | Raw_string | Enum _ | Message _ | Delimited _ ->
      invalid_arg "Array_field.written"
