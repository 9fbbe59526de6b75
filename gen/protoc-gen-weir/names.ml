let is_upper c = c >= 'A' && c <= 'Z'
let is_lower c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')

(* A word begins at a capital behind a small letter, and at the last capital
   of a row that a small letter follows. *)
let snake s =
  let b = Buffer.create (String.length s + 8) in
  let n = String.length s in
  String.iteri
    (fun i c ->
      let starts_word =
        is_upper c && i > 0
        && (is_lower s.[i - 1]
           || (is_upper s.[i - 1] && i + 1 < n && is_lower s.[i + 1] && s.[i + 1] > '9'))
      in
      if starts_word then Buffer.add_char b '_';
      Buffer.add_char b (Char.lowercase_ascii c))
    s;
  Buffer.contents b

let keywords =
  [
    "and"; "as"; "assert"; "asr"; "begin"; "class"; "constraint"; "do"; "done"; "downto"; "effect";
    "else"; "end"; "exception"; "external"; "false"; "for"; "fun"; "function"; "functor"; "if";
    "in"; "include"; "inherit"; "initializer"; "land"; "lazy"; "let"; "lor"; "lsl"; "lsr"; "lxor";
    "match"; "method"; "mod"; "module"; "mutable"; "new"; "nonrec"; "object"; "of"; "open"; "or";
    "private"; "rec"; "sig"; "struct"; "then"; "to"; "true"; "try"; "type"; "val"; "virtual";
    "when"; "while"; "with";
  ]
[@@ocamlformat "disable"]

let value s =
  let s = snake s in
  if List.mem s keywords then s ^ "_"
  else if s = "" || (s.[0] >= '0' && s.[0] <= '9') then "_" ^ s
  else s

(* A capital cannot stand on an underscore or a digit: then a letter goes before. *)
let capital s =
  let s = String.capitalize_ascii (snake s) in
  if s <> "" && is_upper s.[0] then s else "V" ^ s

let rec unique taken s =
  if Hashtbl.mem taken s then unique taken (s ^ "_")
  else (
    Hashtbl.add taken s ();
    s)

let file_module path =
  let base = Filename.remove_extension (Filename.basename path) in
  let clean = String.map (fun c -> if is_upper c || is_lower c then c else '_') base in
  capital clean ^ "_pb"
