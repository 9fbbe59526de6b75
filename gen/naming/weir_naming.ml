module Files = Files

let keywords =
  String.split_on_char ' '
    "and as assert asr begin class constraint do done downto effect else end exception external \
     false for fun function functor if in include inherit initializer land lazy let lor lsl lsr \
     lxor match method mod module mutable new nonrec object of open or private rec sig struct then \
     to true try type val virtual when while with"

(* Types that generated code names without a path. *)
let builtin = String.split_on_char ' ' "unit bool int int64 float string bytes list option result"
let is_upper c = c >= 'A' && c <= 'Z'
let is_lower c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')

let snake s =
  let b = Buffer.create (String.length s + 4) in
  String.iteri
    (fun i c ->
      let before = if i = 0 then '_' else s.[i - 1] in
      let after = if i + 1 < String.length s then s.[i + 1] else '_' in
      if is_upper c && (is_lower before || (is_upper before && is_lower after)) then
        Buffer.add_char b '_';
      Buffer.add_char b
        (match Char.lowercase_ascii c with ('a' .. 'z' | '0' .. '9' | '_') as c -> c | _ -> '_'))
    s;
  let s = Buffer.contents b in
  if s = "" || (s.[0] >= '0' && s.[0] <= '9') then "x" ^ s else s

let rec free taken s = if List.mem s taken then free taken (s ^ "_") else s
let value ?(taken = []) s = free (keywords @ taken) (snake s)

let capital ?(taken = []) s =
  let s = snake s in
  let s = if s.[0] = '_' then "X" ^ s else s in
  free taken (String.capitalize_ascii s)

(* [distinct name l] names each of [l], underscores telling equals apart. *)
let distinct name l =
  List.rev (List.fold_left (fun done_ s -> (s, name ~taken:(List.map snd done_) s) :: done_) [] l)

let doc indent text =
  let text = String.trim text in
  if text = "" then ""
  else
    let quotes = List.length (String.split_on_char '"' text) - 1 in
    let b = Buffer.create 80 in
    String.iteri
      (fun i c ->
        match c with
        | '{' -> Buffer.add_char b '('
        | '}' -> Buffer.add_char b ')'
        | '[' | ']' | '@' -> Printf.bprintf b "\\%c" c
        | '"' when quotes land 1 = 1 -> Buffer.add_string b "''"
        | ')' when i > 0 && text.[i - 1] = '*' -> Buffer.add_string b " )"
        | '*' when i > 0 && text.[i - 1] = '(' -> Buffer.add_string b " *"
        | '\'' -> Buffer.add_string b "'"
        | '\n' -> Printf.bprintf b "\n%s    " indent
        | c -> Buffer.add_char b c)
      text;
    Printf.sprintf "%s(** %s *)\n" indent (Buffer.contents b)

let tidy = Layout.tidy
