type t = { base : string; first : int; length : int }

let empty = { base = ""; first = 0; length = 0 }
let of_string s = { base = s; first = 0; length = String.length s }
let[@inline] is_empty t = t.length = 0
let[@inline] length t = t.length
let base t = t.base
let first t = t.first

let[@inline] part base first length =
  if first < 0 || length < 0 || first > String.length base - length then
    invalid_arg "Weir_protobuf.Slice.part";
  { base; first; length }

let get t i =
  if i < 0 || i >= t.length then invalid_arg "Weir_protobuf.Slice.get";
  t.base.[t.first + i]

let to_string t =
  if t.length = String.length t.base then t.base else String.sub t.base t.first t.length

let blit t from b at n =
  if from < 0 || n < 0 || from > t.length - n then invalid_arg "Weir_protobuf.Slice.blit";
  Bytes.blit_string t.base (t.first + from) b at n

let compare a b =
  let rec go i =
    if i = a.length || i = b.length then Int.compare a.length b.length
    else
      match Char.compare a.base.[a.first + i] b.base.[b.first + i] with
      | 0 -> go (i + 1)
      | order -> order
  in
  go 0

let equal a b = a.length = b.length && compare a b = 0
let pp ppf t = Format.fprintf ppf "%S" (to_string t)
