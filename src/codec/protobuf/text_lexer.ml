type t = { s : string; limit : int; mutable pos : int; mutable memory : int }

let of_string s ~memory = { s; limit = String.length s; pos = 0; memory }
let memory t = t.memory
let position t = t.pos
let seek t p = t.pos <- p
let fail t reason = Error.fail t.pos reason

let spend t words =
  t.memory <- t.memory - words;
  if t.memory < 0 then Unfolding.refused t.pos

let rec line_end s p limit = if p < limit && s.[p] <> '\n' then line_end s (p + 1) limit else p

let rec peek t =
  if t.pos >= t.limit then '\000'
  else
    match String.unsafe_get t.s t.pos with
    | ' ' | '\t' | '\n' | '\r' | '\011' | '\012' ->
        t.pos <- t.pos + 1;
        peek t
    | '#' ->
        t.pos <- line_end t.s t.pos t.limit;
        peek t
    | c -> c

let at_end t =
  ignore (peek t);
  t.pos >= t.limit

let accept t c =
  if Char.equal (peek t) c && t.pos < t.limit then (
    t.pos <- t.pos + 1;
    true)
  else false

let expect t c =
  if not (accept t c) then
    fail t (if t.pos >= t.limit then "unexpected end" else Printf.sprintf "expected '%c'" c)

let is_letter c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_digit c = c >= '0' && c <= '9'

let rec run_end t p =
  if p < t.limit && (is_letter t.s.[p] || is_digit t.s.[p]) then run_end t (p + 1) else p

(* What is from [from] on. *)
let taken t from =
  let n = t.pos - from in
  spend t ((n / 8) + 2);
  String.sub t.s from n

let run t =
  let from = t.pos in
  t.pos <- run_end t from;
  taken t from

let rec named t from n = function
  | [] -> []
  | (f : Descriptor.field) :: rest as l ->
      if String.length f.name = n && Words.same t.s from f.name 0 n then l else named t from n rest

let known_next t (guess : Descriptor.field list) fields =
  if not (is_letter (peek t)) then []
  else
    let from = t.pos in
    let stop = run_end t from in
    let n = stop - from in
    let found = match named t from n guess with [] -> named t from n fields | l -> l in
    (match found with [] -> () | _ -> t.pos <- stop);
    found

let name t = if is_letter (peek t) then run t else fail t "expected a field's name"

(* A buffer and its first bytes. *)
let buffer = 20

let rec bracketed t =
  expect t '[';
  let b = Buffer.create 32 in
  pieces t b;
  spend t (buffer + (Buffer.length b / 8));
  Buffer.contents b

(* White space and comments may stand between the parts. *)
and pieces t b =
  match peek t with
  | ']' -> t.pos <- t.pos + 1
  | '\000' -> fail t "unexpected end"
  | ('.' | '/' | '-' | '~' | '%' | '!' | '$' | '&' | '(' | ')' | '*' | '+' | ',' | ';' | '=') as c
    ->
      Buffer.add_char b c;
      t.pos <- t.pos + 1;
      pieces t b
  | c when is_letter c || is_digit c ->
      let from = t.pos in
      t.pos <- run_end t from;
      spend t ((t.pos - from) / 2);
      Buffer.add_substring b t.s from (t.pos - from);
      pieces t b
  | _ -> fail t "bad name in brackets"

(* An exponent's sign belongs to the number. *)
let rec number_end t ~hex from p =
  if p >= t.limit then p
  else
    match t.s.[p] with
    | ('+' | '-') when (not hex) && p > from && (t.s.[p - 1] = 'e' || t.s.[p - 1] = 'E') ->
        number_end t ~hex from (p + 1)
    | '.' -> number_end t ~hex from (p + 1)
    | c when is_letter c || is_digit c -> number_end t ~hex from (p + 1)
    | _ -> p

(* [take] is of where it began. *)
let a_literal t take =
  match peek t with
  | c when is_letter c ->
      let from = t.pos in
      t.pos <- run_end t from;
      take t from
  | c when is_digit c || c = '.' ->
      let from = t.pos in
      let hex = from + 1 < t.limit && c = '0' && (t.s.[from + 1] = 'x' || t.s.[from + 1] = 'X') in
      t.pos <- number_end t ~hex from from;
      take t from
  | _ -> fail t "expected a value"

let literal t = a_literal t taken
let pass_literal t = a_literal t (fun _ _ -> ())

(* Of at most 18 digits, not octal: -1 if it is another. *)
let plain_number t =
  ignore (peek t);
  let p = ref t.pos and v = ref 0 in
  while !p < t.limit && is_digit t.s.[!p] do
    v := (!v * 10) + Char.code t.s.[!p] - 48;
    incr p
  done;
  let n = !p - t.pos in
  let goes_on = !p < t.limit && (is_letter t.s.[!p] || t.s.[!p] = '.') in
  if n = 0 || n > 18 || goes_on || (n > 1 && t.s.[t.pos] = '0') then -1
  else (
    t.pos <- !p;
    !v)

let wide_number t ~negative ~unsigned =
  let from = t.pos in
  let stop = number_end t ~hex:false from from in
  let digits = stop - from in
  let rec part acc p last =
    if p = last then acc
    else if is_digit t.s.[p] then part ((acc * 10) + Char.code t.s.[p] - 48) (p + 1) last
    else -1
  in
  if digits < 19 || digits > 20 || t.s.[from] = '0' then 0L
  else
    let high = part 0 from (from + 18) and low = part 0 (from + 18) stop in
    if high < 0 || low < 0 || not (Numbers.in_64_bits high low digits) then 0L
    else
      let v = Numbers.joined high low digits in
      let v = if negative then Int64.neg v else v in
      let fits = if unsigned then not negative else negative = (Int64.compare v 0L < 0) in
      if fits then (
        t.pos <- stop;
        spend t 3;
        v)
      else 0L

let digit c =
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | 'A' .. 'F' -> Char.code c - 55
  | _ -> 99

let rec more_digits t base stop acc =
  if t.pos < stop && t.pos < t.limit && digit t.s.[t.pos] < base then (
    let d = digit t.s.[t.pos] in
    t.pos <- t.pos + 1;
    more_digits t base stop ((acc * base) + d))
  else acc

(* At most [most] digits in [base]; at least one. *)
let digits t base most =
  let from = t.pos in
  let v = more_digits t base (from + most) 0 in
  if t.pos = from then fail t "bad escape" else v

let unicode t most =
  let from = t.pos in
  let code = digits t 16 most in
  if t.pos - from = most then code else fail t "bad escape"

let add_code t b code =
  if Uchar.is_valid code then Buffer.add_utf_8_uchar b (Uchar.of_int code)
  else fail t "escape is no character"

let add_byte t b v = if v > 255 then fail t "escape above 255" else Buffer.add_char b (Char.chr v)

let escape t b =
  if t.pos >= t.limit then fail t "unexpected end";
  let c = t.s.[t.pos] in
  if c >= '0' && c <= '7' then add_byte t b (digits t 8 3)
  else (
    t.pos <- t.pos + 1;
    match c with
    | 'a' -> Buffer.add_char b '\007'
    | 'b' -> Buffer.add_char b '\b'
    | 'f' -> Buffer.add_char b '\012'
    | 'n' -> Buffer.add_char b '\n'
    | 'r' -> Buffer.add_char b '\r'
    | 't' -> Buffer.add_char b '\t'
    | 'v' -> Buffer.add_char b '\011'
    | '\\' | '\'' | '"' | '?' -> Buffer.add_char b c
    | 'x' | 'X' -> add_byte t b (digits t 16 2)
    | 'u' -> add_code t b (unicode t 4)
    | 'U' -> add_code t b (unicode t 8)
    | _ -> fail t "bad escape")

let rec quoted t b quote =
  if t.pos >= t.limit then fail t "unexpected end";
  let c = t.s.[t.pos] in
  t.pos <- t.pos + 1;
  if c <> quote then (
    (match c with
    | '\\' -> escape t b
    | '\n' -> fail t "line end in a string"
    | c -> Buffer.add_char b c);
    quoted t b quote)

let is_quote c = c = '"' || c = '\''

let rec plain_end t p quote =
  if p >= t.limit then -1
  else
    match String.unsafe_get t.s p with
    | '\\' | '\n' -> -1
    | c -> if c = quote then p else plain_end t (p + 1) quote

(* Charged as they come: a buffer grows by doubling, and is copied. *)
let rec literals t b any =
  let quote = peek t in
  if is_quote quote then (
    let before = Buffer.length b in
    t.pos <- t.pos + 1;
    quoted t b quote;
    spend t ((Buffer.length b - before) * 5 / 8);
    literals t b true)
  else if not any then fail t "expected a string"

(* One without escapes and alone is taken as it is. *)
let strings t =
  let quote = peek t in
  let from = t.pos + 1 in
  let stop = if is_quote quote then plain_end t from quote else -1 in
  let alone =
    stop >= 0
    &&
    (t.pos <- stop + 1;
     not (is_quote (peek t)))
  in
  if alone then (
    let n = stop - from in
    if n > 0 then spend t ((n / 8) + 2);
    Words.sub t.s from n)
  else (
    t.pos <- from - 1;
    spend t buffer;
    let b = Buffer.create 32 in
    literals t b false;
    Buffer.contents b)

let rec skip_field t ~depth =
  if Char.equal (peek t) '[' then ignore (bracketed t) else ignore (name t);
  skip_value t ~depth

and skip_value t ~depth =
  ignore (accept t ':');
  match peek t with
  | '{' -> skip_until t ~depth ~opens:'{' ~closes:'}'
  | '<' -> skip_until t ~depth ~opens:'<' ~closes:'>'
  | '[' ->
      expect t '[';
      if not (accept t ']') then skip_list t ~depth:(Decode.deeper depth t.pos)
  | '"' | '\'' -> ignore (strings t)
  | _ ->
      ignore (accept t '-');
      pass_literal t

and skip_list t ~depth =
  skip_value t ~depth;
  if accept t ',' then skip_list t ~depth else expect t ']'

and skip_until t ~depth ~opens ~closes =
  expect t opens;
  let depth = Decode.deeper depth t.pos in
  while not (accept t closes) do
    skip_field t ~depth;
    if not (accept t ',') then ignore (accept t ';')
  done
