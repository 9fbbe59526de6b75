type cls = string

let cls f = String.init 256 (fun i -> if f (Char.chr i) then '\001' else '\000')
let mem c ch = String.unsafe_get c (Char.code ch) <> '\000'

let token =
  cls (function
    | 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' -> true
    | '!' | '#' | '$' | '%' | '&' | '\'' | '*' | '+' | '-' | '.' | '^' | '_' | '`' | '|' | '~' ->
        true
    | _ -> false)

let field_value = cls (function '\t' | ' ' .. '~' | '\x80' .. '\xff' -> true | _ -> false)
let target = cls (function '#' -> false | '!' .. '~' -> true | _ -> false)
let blank = cls (function ' ' | '\t' -> true | _ -> false)
let digit = cls (function '0' .. '9' -> true | _ -> false)

let rec skip_from c b i stop =
  if i < stop && mem c (Bytes.unsafe_get b i) then skip_from c b (i + 1) stop else i

let skip c b i stop =
  if i < 0 || stop > Bytes.length b then invalid_arg "Chars.skip";
  skip_from c b i stop

let all c s = skip c (Bytes.unsafe_of_string s) 0 (String.length s) = String.length s
let is_token s = s <> "" && all token s

(* The loops are top-level functions: a local closure would be allocated at each
   call. *)
let rec same_from a i b j n =
  n = 0
  || Char.lowercase_ascii (String.unsafe_get a i) = Char.lowercase_ascii (String.unsafe_get b j)
     && same_from a (i + 1) b (j + 1) (n - 1)

let equal_caseless a b =
  let n = String.length a in
  a == b || (n = String.length b && same_from a 0 b 0 n)

let trim s =
  let n = String.length s in
  let first = skip blank (Bytes.unsafe_of_string s) 0 n in
  let rec last i = if i > first && mem blank s.[i - 1] then last (i - 1) else i in
  let stop = last n in
  if first = 0 && stop = n then s else String.sub s first (stop - first)

let rec decimal_from s i acc =
  if i = String.length s then acc
  else
    match s.[i] with
    | '0' .. '9' as c ->
        let d = Char.code c - 48 in
        decimal_from s (i + 1) (if acc > (max_int - d) / 10 then max_int else (acc * 10) + d)
    | _ -> -1

let decimal s = if s = "" then -1 else decimal_from s 0 0

let hex = function
  | '0' .. '9' as c -> Char.code c - 48
  | 'a' .. 'f' as c -> Char.code c - 87
  | 'A' .. 'F' as c -> Char.code c - 55
  | _ -> -1

(* Whether [s] from [i] on is [token] up to a blank, a comma or the end. *)
let element_at s i token =
  let n = String.length token and len = String.length s in
  i + n <= len
  && same_from s i token 0 n
  &&
  let rest = skip blank (Bytes.unsafe_of_string s) (i + n) len in
  rest = len || s.[rest] = ','

let rec comma s i = if i = String.length s || s.[i] = ',' then i else comma s (i + 1)

let rec list_mem_from s i token =
  let i = skip blank (Bytes.unsafe_of_string s) i (String.length s) in
  i < String.length s
  && (element_at s i token
     ||
     let j = comma s i in
     j < String.length s && list_mem_from s (j + 1) token)

let list_mem s ~token = list_mem_from s 0 token
