type token =
  | Word of string
  | Integer of int64
  | Decimal of float
  | Literal of string
  | Sign of char
  | End

type t = { token : token; line : int; doc : string }

exception Error of int * string

let is_start c = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c = '_'
let is_digit c = c >= '0' && c <= '9'

(* The text of a comment without the stars that begin its lines. *)
let strip text =
  String.split_on_char '\n' text
  |> List.map (fun line ->
      let line = String.trim line in
      let n = String.length line in
      if n > 0 && line.[0] = '*' then String.trim (String.sub line 1 (n - 1)) else line)
  |> String.concat "\n" |> String.trim

let number text line =
  match Int64.of_string_opt text with
  | Some n -> Integer n
  | None -> (
      match float_of_string_opt text with
      | Some f -> Decimal f
      | None -> raise (Error (line, "not a number: " ^ text)))

(* [line] is where reading is, [doc] the comment that belongs to the next token. *)
type state = { text : string; mutable line : int; mutable doc : string; mutable out : t list }

let fail st why = raise (Error (st.line, why))

let add st token =
  st.out <- { token; line = st.line; doc = st.doc } :: st.out;
  st.doc <- ""

let count st from upto =
  for i = from to upto - 1 do
    if st.text.[i] = '\n' then st.line <- st.line + 1
  done

(* The character at [i], ['\000'] past the end. *)
let at st i = if i < String.length st.text then st.text.[i] else '\000'
let rec until st i f = if i < String.length st.text && f st.text.[i] then until st (i + 1) f else i

let rec closing st i =
  if i + 1 >= String.length st.text then fail st "a comment is not closed"
  else if st.text.[i] = '*' && st.text.[i + 1] = '/' then i
  else closing st (i + 1)

(* Each of these reads what begins at [i] and is the place after it. *)

let comment st i =
  let stop = closing st (i + 2) in
  if stop > i + 2 && st.text.[i + 2] = '*' then
    st.doc <- strip (String.sub st.text (i + 3) (stop - i - 3));
  count st i stop;
  stop + 2

let escaped = function 'n' -> '\n' | 't' -> '\t' | 'r' -> '\r' | '0' -> '\000' | c -> c

let literal st i =
  let quote = st.text.[i] and b = Buffer.create 16 in
  let rec go i =
    if i >= String.length st.text then fail st "a string is not closed"
    else if st.text.[i] = quote then i + 1
    else if st.text.[i] = '\\' && i + 1 < String.length st.text then (
      Buffer.add_char b (escaped st.text.[i + 1]);
      go (i + 2))
    else (
      Buffer.add_char b st.text.[i];
      go (i + 1))
  in
  let stop = go (i + 1) in
  add st (Literal (Buffer.contents b));
  count st i stop;
  stop

let word st i =
  let stop = until st i (fun c -> is_start c || is_digit c || c = '.' || c = '-') in
  add st (Word (String.sub st.text i (stop - i)));
  stop

let is_number st i =
  is_digit st.text.[i]
  || (String.contains "-+." st.text.[i] && (is_digit (at st (i + 1)) || at st (i + 1) = '.'))

let numeral st i =
  let signed_exponent j =
    String.contains "-+" st.text.[j] && String.contains "eE" st.text.[j - 1]
  in
  let part j = is_digit (at st j) || at st j = '.' || is_start (at st j) in
  let rec go j =
    if j < String.length st.text && (part j || signed_exponent j) then go (j + 1) else j
  in
  let stop = go (i + 1) in
  let from = if st.text.[i] = '+' then i + 1 else i in
  add st (number (String.sub st.text from (stop - from)) st.line);
  stop

let rec read st i =
  if i < String.length st.text then
    read st
      (match st.text.[i] with
      | '\n' ->
          st.line <- st.line + 1;
          i + 1
      | ' ' | '\t' | '\r' -> i + 1
      | '#' -> until st i (fun c -> c <> '\n')
      | '/' when at st (i + 1) = '/' -> until st i (fun c -> c <> '\n')
      | '/' when at st (i + 1) = '*' -> comment st i
      | '"' | '\'' -> literal st i
      | c when is_start c -> word st i
      | _ when is_number st i -> numeral st i
      | ('{' | '}' | '(' | ')' | '<' | '>' | '[' | ']' | ',' | ';' | ':' | '=' | '*' | '&') as c ->
          add st (Sign c);
          i + 1
      | c -> fail st (Printf.sprintf "unexpected %C" c))

let tokens text =
  let st = { text; line = 1; doc = ""; out = [] } in
  read st (if String.starts_with ~prefix:"\xef\xbb\xbf" text then 3 else 0);
  add st End;
  List.rev st.out
