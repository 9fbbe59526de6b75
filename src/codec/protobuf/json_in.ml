module L = Json_lexer

type t = {
  lexer : L.t;
  types : Registry.t;
  ignore_unknown : bool;
  mutable depth : int;
  known : string array;
}

exception Left_out = Json_parse.Left_out

let make types ~ignore_unknown s =
  {
    lexer = L.of_string s;
    types;
    ignore_unknown;
    depth = Decode.max_depth + 1;
    known = Array.make 16 "";
  }

let finish r = L.finish r.lexer

let enter r =
  r.depth <- Decode.deeper r.depth (L.position r.lexer);
  L.expect r.lexer '{'

let leave r =
  let left = L.accept r.lexer '}' in
  if left then r.depth <- r.depth + 1;
  left

let more r =
  L.accept r.lexer ','
  ||
  (L.expect r.lexer '}';
   r.depth <- r.depth + 1;
   false)

let key r =
  let name = L.name r.lexer r.known in
  L.expect r.lexer ':';
  name

let present r = not (L.null r.lexer)
let once r seen bit = if seen land bit <> 0 then L.fail r.lexer "field given twice"

let unknown r message key =
  if r.ignore_unknown then L.skip r.lexer ~depth:r.depth
  else L.fail r.lexer (Printf.sprintf "%s has no field %s" message key)

let whole r (kind : Descriptor.kind) =
  Json_parse.integer r.lexer kind (Json_parse.number_text r.lexer)

let int32 r =
  let v = L.short_integer r.lexer in
  if v >= -0x80000000 && v <= 0x7fffffff then v
  else if v = L.not_short then Int64.to_int (whole r Int32)
  else L.fail r.lexer "number does not fit its field"

let uint32 r =
  let v = L.short_integer r.lexer in
  if v >= 0 && v <= 0xffffffff then v
  else if v = L.not_short then Int64.to_int (whole r Uint32)
  else L.fail r.lexer "number does not fit its field"

let int64 r =
  let v = L.short_integer r.lexer in
  if v <> L.not_short then Int64.of_int v else whole r Int64

let uint64 r =
  let v = L.short_integer r.lexer in
  if v >= 0 then Int64.of_int v
  else if v = L.not_short then whole r Uint64
  else L.fail r.lexer "number does not fit its field"

let bool r = L.bool r.lexer

let double r =
  let x = L.short_float r.lexer in
  if Float.is_nan x then Json_parse.float_value r.lexer else x

let float r =
  match Numbers.single (double r) with
  | Some x -> x
  | None -> L.fail r.lexer "number is too large for single precision"

let string r = L.string r.lexer
let bytes r = Json_parse.bytes_value r.lexer
let enum r e = Int64.to_int (Json_parse.enum_name r.lexer ~ignore_unknown:r.ignore_unknown e)

let rec elements r one ~nulls acc =
  if (not nulls) && L.null r.lexer then L.fail r.lexer "null in a list";
  let acc = match one r with x -> x :: acc | exception Left_out -> acc in
  if L.accept r.lexer ',' then elements r one ~nulls acc
  else (
    L.expect r.lexer ']';
    acc)

let list_with ~nulls r one acc =
  L.expect r.lexer '[';
  if L.accept r.lexer ']' then acc else elements r one ~nulls acc

let list r one acc = list_with ~nulls:false r one acc
let null_list r one acc = list_with ~nulls:true r one acc

let rec members r key_of value ~nulls acc =
  let k = key_of r (key r) in
  if (not nulls) && L.null r.lexer then L.fail r.lexer "null in a map";
  let acc = match value r with v -> (k, v) :: acc | exception Left_out -> acc in
  if L.accept r.lexer ',' then members r key_of value ~nulls acc
  else (
    L.expect r.lexer '}';
    acc)

let map_with ~nulls r key_of value acc =
  L.expect r.lexer '{';
  if L.accept r.lexer '}' then acc else members r key_of value ~nulls acc

let map r key_of value acc = map_with ~nulls:false r key_of value acc
let nulls r key_of value acc = map_with ~nulls:true r key_of value acc
let string_key _ k = k

(* A key's digits are read as a number's would be. *)
let number_key r kind text =
  let inner = L.of_string text in
  let digits = L.number inner in
  if String.length digits <> String.length text then L.fail r.lexer "map key is not a number";
  Json_parse.integer r.lexer kind digits

let int32_key r text = Int64.to_int (number_key r Int32 text)
let uint32_key r text = Int64.to_int (number_key r Uint32 text)
let int64_key r text = number_key r Int64 text
let uint64_key r text = number_key r Uint64 text

let bool_key r text =
  match text with "true" -> true | "false" -> false | _ -> L.fail r.lexer "map key is not a bool"

let by_descriptor r m =
  let b = Buffer.create 64 in
  let depth = Decode.deeper r.depth (L.position r.lexer) in
  Json_parse.message r.types ~ignore_unknown:r.ignore_unknown r.lexer m ~depth b;
  Buffer.contents b
