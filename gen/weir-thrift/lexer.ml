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

let tokens s =
  let n = String.length s in
  let line = ref 1 and doc = ref "" and out = ref [] in
  let count from upto =
    for i = from to upto - 1 do
      if s.[i] = '\n' then incr line
    done
  in
  let add token =
    out := { token; line = !line; doc = !doc } :: !out;
    doc := ""
  in
  let rec until i f = if i < n && f s.[i] then until (i + 1) f else i in
  let rec closing i =
    if i + 1 >= n then raise (Error (!line, "a comment is not closed"))
    else if s.[i] = '*' && s.[i + 1] = '/' then i
    else closing (i + 1)
  in
  let rec literal quote b i =
    if i >= n then raise (Error (!line, "a string is not closed"))
    else if s.[i] = quote then i + 1
    else if s.[i] = '\\' && i + 1 < n then (
      Buffer.add_char b
        (match s.[i + 1] with 'n' -> '\n' | 't' -> '\t' | 'r' -> '\r' | '0' -> '\000' | c -> c);
      literal quote b (i + 2))
    else (
      Buffer.add_char b s.[i];
      literal quote b (i + 1))
  in
  let rec go i =
    if i < n then
      match s.[i] with
      | '\n' ->
          incr line;
          go (i + 1)
      | ' ' | '\t' | '\r' -> go (i + 1)
      | '#' -> go (until i (fun c -> c <> '\n'))
      | '/' when i + 1 < n && s.[i + 1] = '/' -> go (until i (fun c -> c <> '\n'))
      | '/' when i + 1 < n && s.[i + 1] = '*' ->
          let stop = closing (i + 2) in
          if stop > i + 2 && s.[i + 2] = '*' then doc := strip (String.sub s (i + 3) (stop - i - 3));
          count i stop;
          go (stop + 2)
      | ('"' | '\'') as quote ->
          let b = Buffer.create 16 in
          let stop = literal quote b (i + 1) in
          add (Literal (Buffer.contents b));
          count i stop;
          go stop
      | c when is_start c ->
          let stop = until i (fun c -> is_start c || is_digit c || c = '.' || c = '-') in
          add (Word (String.sub s i (stop - i)));
          go stop
      | c
        when is_digit c
             || (c = '-' || c = '+' || c = '.')
                && i + 1 < n
                && (is_digit s.[i + 1] || s.[i + 1] = '.') ->
          let exponent j = (s.[j] = '-' || s.[j] = '+') && (s.[j - 1] = 'e' || s.[j - 1] = 'E') in
          let rec stop j =
            if j < n && (is_digit s.[j] || s.[j] = '.' || is_start s.[j] || (j > i && exponent j))
            then stop (j + 1)
            else j
          in
          let j = stop (i + 1) in
          let text = String.sub s i (j - i) in
          let text = if text.[0] = '+' then String.sub text 1 (String.length text - 1) else text in
          add (number text !line);
          go j
      | ('{' | '}' | '(' | ')' | '<' | '>' | '[' | ']' | ',' | ';' | ':' | '=' | '*' | '&') as c ->
          add (Sign c);
          go (i + 1)
      | c -> raise (Error (!line, Printf.sprintf "unexpected %C" c))
  in
  go 0;
  add End;
  List.rev !out
