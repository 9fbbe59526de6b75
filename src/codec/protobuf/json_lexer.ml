open Json_cursor

type t = Json_cursor.t

let[@inline] char_at t p = at t p
let of_string s = make Registry.empty ~ignore_unknown:false s

let at s pos =
  let t = of_string s in
  t.pos <- pos;
  t

let position t = t.pos
let seek t p = t.pos <- p
let fail t reason = Error.fail t.pos reason

let rec peek t =
  if t.pos >= t.limit then '\000'
  else
    match String.unsafe_get t.s t.pos with
    | ' ' | '\t' | '\n' | '\r' ->
        t.pos <- t.pos + 1;
        peek t
    | c -> c

let accept t c =
  if Char.equal (peek t) c && t.pos < t.limit then (
    t.pos <- t.pos + 1;
    true)
  else false

let expect t c =
  if not (accept t c) then
    fail t (if t.pos >= t.limit then "unexpected end" else Printf.sprintf "expected '%c'" c)

let word t w =
  let n = String.length w in
  ignore (peek t);
  if t.pos + n <= t.limit && Words.same t.s t.pos w 0 n then (
    t.pos <- t.pos + n;
    true)
  else false

let null t = Char.equal (peek t) 'n' && word t "null"

let bool t =
  match peek t with
  | 't' when word t "true" -> true
  | 'f' when word t "false" -> false
  | _ -> fail t "expected true or false"

let hex4 t =
  if t.pos + 4 > t.limit then fail t "unexpected end";
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | 'A' .. 'F' -> Char.code c - 55
    | _ -> fail t "bad \\u escape"
  in
  let d i = digit t.s.[t.pos + i] in
  let v = (d 0 lsl 12) lor (d 1 lsl 8) lor (d 2 lsl 4) lor d 3 in
  t.pos <- t.pos + 4;
  v

(* Characters beyond the first plane are written as two escapes. *)
let unicode t b =
  let u = hex4 t in
  let code =
    if u >= 0xd800 && u < 0xdc00 then
      if t.pos + 6 <= t.limit && t.s.[t.pos] = '\\' && t.s.[t.pos + 1] = 'u' then (
        t.pos <- t.pos + 2;
        let low = hex4 t in
        if low < 0xdc00 || low > 0xdfff then fail t "unpaired surrogate";
        0x10000 + ((u - 0xd800) lsl 10) + (low - 0xdc00))
      else fail t "unpaired surrogate"
    else u
  in
  if Uchar.is_valid code then Buffer.add_utf_8_uchar b (Uchar.of_int code)
  else fail t "unpaired surrogate"

let escape t b =
  if t.pos >= t.limit then fail t "unexpected end";
  let c = t.s.[t.pos] in
  t.pos <- t.pos + 1;
  match c with
  | '"' | '\\' | '/' -> Buffer.add_char b c
  | 'b' -> Buffer.add_char b '\b'
  | 'f' -> Buffer.add_char b '\012'
  | 'n' -> Buffer.add_char b '\n'
  | 'r' -> Buffer.add_char b '\r'
  | 't' -> Buffer.add_char b '\t'
  | 'u' -> unicode t b
  | _ -> fail t "bad escape"

let rec escaped t b =
  let stop = Utf8.plain t.s t.pos t.limit in
  Buffer.add_substring b t.s t.pos (stop - t.pos);
  t.pos <- stop;
  if stop >= t.limit then fail t "unexpected end"
  else
    match t.s.[stop] with
    | '"' -> t.pos <- stop + 1
    | '\\' ->
        t.pos <- stop + 1;
        escape t b;
        escaped t b
    | _ -> fail t "control character in a string"

(* What a text takes; a {!Buffer} without what is in it. *)
let[@inline] text_words n = if n = 0 then 0 else (n lsr 3) + 2
let buffer = 14

let string t =
  expect t '"';
  let from = t.pos in
  let stop = Utf8.text t.s from t.limit in
  if stop < 0 then Error.fail from "string is not UTF-8"
  else if stop < t.limit && Char.equal t.s.[stop] '"' then (
    t.pos <- stop + 1;
    spend t (text_words (stop - from));
    Words.sub t.s from (stop - from))
  else
    let b = Buffer.create (2 * (stop - from)) in
    escaped t b;
    let s = Buffer.contents b in
    spend t (buffer + (5 * text_words (t.pos - from)));
    if Utf8.valid s 0 (String.length s) then s else Error.fail from "string is not UTF-8"

let[@inline] is_digit c = c >= '0' && c <= '9'
let rec digits t p = if is_digit (char_at t p) then digits t (p + 1) else p

let some_digits t p =
  if is_digit (char_at t p) then digits t p else Error.fail p "expected a number"

let pass_number t =
  ignore (peek t);
  let p = if char_at t t.pos = '-' then t.pos + 1 else t.pos in
  let p = if char_at t p = '0' then p + 1 else some_digits t p in
  let p = if char_at t p = '.' then some_digits t (p + 1) else p in
  let p =
    match char_at t p with
    | 'e' | 'E' ->
        some_digits t (if char_at t (p + 1) = '+' || char_at t (p + 1) = '-' then p + 2 else p + 1)
    | _ -> p
  in
  if is_digit (char_at t p) then Error.fail p "number with a leading zero";
  t.pos <- p

let number t =
  ignore (peek t);
  let from = t.pos in
  pass_number t;
  spend t (text_words (t.pos - from));
  String.sub t.s from (t.pos - from)

let[@inline] goes_on c = match c with '0' .. '9' | '.' | 'e' | 'E' -> true | _ -> false
let not_plain = min_int

external get : string -> int -> char = "%string_unsafe_get"

let[@inline never] plain_integer t =
  let s = t.s and limit = t.limit and from = t.pos in
  let quoted = char_at t from = '"' in
  let from = if quoted then from + 1 else from in
  let negative = char_at t from = '-' in
  let first = if negative then from + 1 else from in
  let p = ref first and v = ref 0 in
  while !p < limit && is_digit (get s !p) do
    v := (!v * 10) + Char.code (get s !p) - 48;
    incr p
  done;
  let p = !p in
  let n = p - first in
  let behind = char_at t p in
  if
    n = 0 || n > 18
    || (n > 1 && get s first = '0')
    || if quoted then behind <> '"' else goes_on behind
  then not_plain
  else (
    t.pos <- (if quoted then p + 1 else p);
    if negative then - !v else !v)

let[@inline never] plain_key text =
  let n = String.length text in
  let negative = n > 0 && Char.equal (get text 0) '-' in
  let first = if negative then 1 else 0 in
  let p = ref first and v = ref 0 in
  while !p < n && is_digit (get text !p) do
    v := (!v * 10) + Char.code (get text !p) - 48;
    incr p
  done;
  if !p < n || n = first || n - first > 18 || (n - first > 1 && get text first = '0') then not_plain
  else if negative then - !v
  else !v

let[@inline never] wide_integer t ~unsigned =
  let s = t.s and limit = t.limit and from = t.pos in
  let quoted = char_at t from = '"' in
  let from = if quoted then from + 1 else from in
  let negative = char_at t from = '-' in
  let first = if negative then from + 1 else from in
  let p = ref first and high = ref 0 and low = ref 0 in
  while !p < limit && !p < first + 21 && is_digit (get s !p) do
    let d = Char.code (get s !p) - 48 in
    if !p < first + 18 then high := (!high * 10) + d else low := (!low * 10) + d;
    incr p
  done;
  let p = !p in
  let n = p - first in
  let behind = char_at t p in
  let plain =
    n > 0 && n <= 20
    && (n = 1 || get s first <> '0')
    && (if quoted then behind = '"' else not (goes_on behind))
    && Numbers.in_64_bits !high !low n
  in
  let v = if plain then Numbers.joined !high !low n else 0L in
  let fits =
    if unsigned then not negative
    else Int64.compare v 0L >= 0 || (negative && Int64.equal v Int64.min_int)
  in
  if plain && fits then (
    t.pos <- (if quoted then p + 1 else p);
    spend t 3;
    if negative then Int64.neg v else v)
  else 0L

let powers = Array.init 19 (fun i -> 10. ** float_of_int i)
let limit_of_exact = 1 lsl 53

(* Digits below 2^53 over an exact power of ten: one division rounds right. *)
let[@inline] plain_double r =
  let s = r.s and limit = r.limit and from = r.pos in
  let negative = char_at r from = '-' in
  let first = if negative then from + 1 else from in
  let p = ref first and v = ref 0 in
  while !p < limit && is_digit (get s !p) do
    v := (!v * 10) + Char.code (get s !p) - 48;
    incr p
  done;
  let point = !p in
  let n = point - first in
  let fraction = char_at r point = '.' in
  if fraction then (
    incr p;
    while !p < limit && is_digit (get s !p) do
      v := (!v * 10) + Char.code (get s !p) - 48;
      incr p
    done);
  let p = !p in
  let places = if fraction then p - point - 1 else 0 in
  if
    n = 0
    || n + places > 18
    || !v > limit_of_exact
    || (n > 1 && get s first = '0')
    || (fraction && places = 0)
    || goes_on (char_at r p)
  then 0.
  else (
    r.pos <- p;
    let x = float_of_int !v in
    let x = if fraction then x /. Array.unsafe_get powers places else x in
    if negative then -.x else x)

(* One without escapes is not made. *)
let skip_string t =
  let from = t.pos + 1 in
  let stop = if char_at t t.pos = '"' then Utf8.text t.s from t.limit else -1 in
  if stop >= 0 && char_at t stop = '"' then t.pos <- stop + 1 else ignore (string t)

let rec skip t ~depth =
  match peek t with
  | '{' ->
      let depth = Decode.deeper depth t.pos in
      expect t '{';
      if not (accept t '}') then members t ~depth
  | '[' ->
      let depth = Decode.deeper depth t.pos in
      expect t '[';
      if not (accept t ']') then elements t ~depth
  | '"' -> skip_string t
  | 't' | 'f' -> ignore (bool t)
  | 'n' -> if not (null t) then fail t "expected null"
  | _ -> pass_number t

and members t ~depth =
  ignore (peek t);
  skip_string t;
  expect t ':';
  skip t ~depth;
  if accept t ',' then members t ~depth else expect t '}'

and elements t ~depth =
  skip t ~depth;
  if accept t ',' then elements t ~depth else expect t ']'

let finish t = if peek t <> '\000' || t.pos < t.limit then fail t "more behind the end"
