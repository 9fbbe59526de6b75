type t = Whole | Part of { first : int; last : int } | Unsatisfiable

let prefix = "bytes="

let suffix text ~length =
  match Chars.decimal text with
  | -1 -> Whole
  | 0 -> Unsatisfiable
  | _ when length = 0 -> Unsatisfiable
  | n -> Part { first = max 0 (length - n); last = length - 1 }

let spec text ~length =
  match String.index_opt text '-' with
  | None -> Whole
  | Some 0 -> suffix (String.sub text 1 (String.length text - 1)) ~length
  | Some i -> (
      let first = Chars.decimal (String.sub text 0 i) in
      let rest = String.sub text (i + 1) (String.length text - i - 1) in
      match if rest = "" then max_int else Chars.decimal rest with
      | last when first < 0 || last < first -> Whole
      | _ when first >= length -> Unsatisfiable
      | last -> Part { first; last = min last (length - 1) })

let parse s ~length =
  let n = String.length prefix in
  if String.length s < n || not (Chars.equal_caseless (String.sub s 0 n) prefix) then Whole
  else
    let set = Chars.trim (String.sub s n (String.length s - n)) in
    if String.contains set ',' then Whole else spec set ~length
