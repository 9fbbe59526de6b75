type t = { s : string; limit : int; mutable pos : int }

let of_string s = { s; limit = String.length s; pos = 0 }
let position t = t.pos
let fail t reason = Error.fail t.pos reason
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

let run t accepts =
  let rec stop p = if p < t.limit && accepts t.s.[p] then stop (p + 1) else p in
  let from = t.pos in
  t.pos <- stop from;
  String.sub t.s from (t.pos - from)

let name t =
  if is_letter (peek t) then run t (fun c -> is_letter c || is_digit c)
  else fail t "expected a field's name"

let rec bracketed t =
  expect t '[';
  let b = Buffer.create 32 in
  pieces t b;
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
      Buffer.add_string b (run t (fun c -> is_letter c || is_digit c));
      pieces t b
  | _ -> fail t "bad name in brackets"

(* An exponent's sign belongs to the number. *)
let literal t =
  match peek t with
  | c when is_letter c -> run t (fun c -> is_letter c || is_digit c)
  | c when is_digit c || c = '.' ->
      let from = t.pos in
      let hex =
        t.pos + 1 < t.limit && c = '0' && (t.s.[t.pos + 1] = 'x' || t.s.[t.pos + 1] = 'X')
      in
      let rec stop p =
        if p >= t.limit then p
        else
          match t.s.[p] with
          | ('+' | '-') when (not hex) && p > from && (t.s.[p - 1] = 'e' || t.s.[p - 1] = 'E') ->
              stop (p + 1)
          | '.' -> stop (p + 1)
          | c when is_letter c || is_digit c -> stop (p + 1)
          | _ -> p
      in
      t.pos <- stop from;
      String.sub t.s from (t.pos - from)
  | _ -> fail t "expected a value"

let digit c =
  match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | 'A' .. 'F' -> Char.code c - 55
  | _ -> 99

(* At most [most] digits in [base]; at least one. *)
let digits t base most =
  let rec go n acc =
    if n < most && t.pos < t.limit && digit t.s.[t.pos] < base then (
      let d = digit t.s.[t.pos] in
      t.pos <- t.pos + 1;
      go (n + 1) ((acc * base) + d))
    else (n, acc)
  in
  match go 0 0 with 0, _ -> fail t "bad escape" | n -> n

let unicode t most =
  match digits t 16 most with n, code when n = most -> code | _ -> fail t "bad escape"

let add_code t b code =
  if Uchar.is_valid code then Buffer.add_utf_8_uchar b (Uchar.of_int code)
  else fail t "escape is no character"

let add_byte t b (_, v) =
  if v > 255 then fail t "escape above 255" else Buffer.add_char b (Char.chr v)

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

let strings t =
  let b = Buffer.create 32 in
  let rec go any =
    match peek t with
    | ('"' | '\'') as quote ->
        t.pos <- t.pos + 1;
        quoted t b quote;
        go true
    | _ -> if not any then fail t "expected a string"
  in
  go false;
  Buffer.contents b

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
      ignore (literal t)

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
