(* RFC 3986 allows all sub-delimiters in a name. A comma is refused: two Host
   fields joined into one look like that. *)
let in_name = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '.' | '_' | '~' -> true
  | '!' | '$' | '&' | '\'' | '(' | ')' | '*' | '+' | ';' | '=' -> true
  | _ -> false

let in_literal = function
  | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | ':' | '.' | '-' | '_' | '~' | '%' -> true
  | _ -> false

let rec name_end s i stop =
  if i >= stop then i
  else if in_name s.[i] then name_end s (i + 1) stop
  else if s.[i] = '%' && i + 2 < stop && Chars.hex s.[i + 1] >= 0 && Chars.hex s.[i + 2] >= 0 then
    name_end s (i + 3) stop
  else i

let rec literal_end s i stop =
  if i < stop && in_literal s.[i] then literal_end s (i + 1) stop else i

(* The index after the host, or -1. *)
let host_end s off stop =
  if off < stop && s.[off] = '[' then
    let i = literal_end s (off + 1) stop in
    if i < stop && s.[i] = ']' && i > off + 2 then i + 1 else -1
  else name_end s off stop

let port s i stop =
  let n = stop - i in
  if n = 0 then Some 0
  else
    match Chars.decimal (String.sub s i n) with p when p >= 0 && p <= 65_535 -> Some p | _ -> None

let valid s ~off ~len =
  let stop = off + len in
  let i = host_end s off stop in
  i = stop || (i >= off && s.[i] = ':' && port s (i + 1) stop <> None)

let split s =
  let stop = String.length s in
  if not (valid s ~off:0 ~len:stop) then None
  else
    let i = host_end s 0 stop in
    let host = if i > 0 && s.[0] = '[' then String.sub s 1 (i - 2) else String.sub s 0 i in
    if i + 1 >= stop then Some (host, None) else Some (host, port s (i + 1) stop)
