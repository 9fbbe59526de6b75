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
  if s = "_" || List.mem s keywords then s ^ "_"
  else if s = "" || (s.[0] >= '0' && s.[0] <= '9') then "_" ^ s
  else s

(* A capital cannot stand on an underscore or a digit: then a letter goes before. *)
let capital s =
  let s = String.capitalize_ascii (snake s) in
  if s <> "" && is_upper s.[0] then s else "V" ^ s

type space = Module | Type | Value | Label | Constructor
type table = (string * space * string, unit) Hashtbl.t

let table () : table = Hashtbl.create 256

(* What generated code or its interface names without a path. *)
let built_in =
  [ "int"; "int64"; "string"; "bool"; "float"; "option"; "list"; "unit"; "array"; "floatarray" ]

let reserved space name =
  match space with
  | Module -> name = "Weir_protobuf"
  | Type -> name = "t" || List.mem name built_in
  | Label -> name = "unknown_fields"
  | Constructor -> name = "Some" || name = "None"
  | Value -> false

let reserve (t : table) ~within space name = Hashtbl.replace t (within, space, name) ()

let rec claim (t : table) ~within space name =
  if reserved space name || Hashtbl.mem t (within, space, name) then
    claim t ~within space (name ^ "_")
  else (
    reserve t ~within space name;
    name)

let has_module (t : table) name =
  Hashtbl.fold (fun (_, space, n) () found -> found || (space = Module && n = name)) t false

(* No schema's name has a quote: what has one is the generator's own. *)
let flat modules =
  match String.concat "'" (List.map String.uncapitalize_ascii modules) with
  | s when List.mem s keywords || List.mem s built_in -> s ^ "'"
  | s -> s

let flat_module = function [ one ] -> one ^ "'" | modules -> String.concat "'" modules
let plain = String.map (fun c -> if is_upper c || is_lower c then c else '_')
let file_module path = capital (plain (Filename.remove_extension (Filename.basename path))) ^ "_pb"
