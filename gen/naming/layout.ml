let width = 100

(* The place after the string or character literal that begins at [i], if one does. *)
let after_literal line i =
  let n = String.length line in
  let rec closing quote j =
    if j >= n then n
    else if line.[j] = '\\' then closing quote (j + 2)
    else if line.[j] = quote then j + 1
    else closing quote (j + 1)
  in
  match line.[i] with
  | '"' -> Some (closing '"' (i + 1))
  | '\'' when i + 2 < n && (line.[i + 1] = '\\' || line.[i + 2] = '\'') ->
      Some (closing '\'' (i + 1))
  | _ -> None

let follows line i word =
  let n = String.length word in
  i + n <= String.length line && String.sub line i n = word

let ends line i word = i >= String.length word && follows line (i - String.length word) word

(* Breaking at the space [i], within [depth] brackets: the less the better. *)
let cost line i depth =
  if depth = 0 && ends line i " =" then -1
  else
    let good =
      (depth = 0 && ends line i "->")
      || List.exists (ends line i) [ ";"; "," ]
      || List.exists (follows line (i + 1)) [ "then "; "else "; "| " ]
    in
    (2 * depth) + if good then 0 else 1

type break = { at : int; cost : int; depth : int }

(* The cheapest space at which to break, the last of several; [depth] brackets are open before. *)
let break_of line ~indent ~depth =
  let rec go i depth best =
    if i >= Int.min width (String.length line) then best
    else
      match after_literal line i with
      | Some next -> go next depth best
      | None -> (
          match line.[i] with
          | '(' | '[' | '{' -> go (i + 1) (depth + 1) best
          | ')' | ']' | '}' -> go (i + 1) (depth - 1) best
          | ' ' when not (follows line (i + 1) "=") ->
              let cost = cost line i depth in
              let worse = match best with Some b -> cost > b.cost | None -> false in
              (* A short piece on a line of its own is for what is defined there. *)
              let early = cost >= 0 && i < indent + 24 in
              go (i + 1) depth (if worse || early then best else Some { at = i; cost; depth })
          | _ -> go (i + 1) depth best)
  in
  go indent depth None

let indent_of line =
  let rec go i = if i < String.length line && line.[i] = ' ' then go (i + 1) else i in
  go 0

let starts rest words = List.exists (follows rest 0) words

(* [further] is the indent of what comes after a break. *)
let rec broken line ~depth ~further =
  let indent = indent_of line in
  if String.length line <= width then [ line ]
  else
    match break_of line ~indent ~depth with
    | None -> [ line ]
    | Some { at; cost; depth } ->
        let rest = String.sub line (at + 1) (String.length line - at - 1) in
        let goes_on =
          (starts rest [ "then "; "else "; "| " ] && (follows line indent "if " || cost > 0))
          || (depth = 0 && ends line at ";")
        in
        let here = if goes_on then indent else further in
        let further = if cost < 0 then further + 2 else further in
        String.sub line 0 at :: broken (String.make here ' ' ^ rest) ~depth ~further

let tidy text =
  let rec squeeze = function
    | "" :: "" :: rest -> squeeze ("" :: rest)
    | line :: rest ->
        let indent = indent_of line in
        let further = indent + if follows line indent "| " then 4 else 2 in
        broken line ~depth:0 ~further @ squeeze rest
    | [] -> []
  in
  String.concat "\n" (squeeze (String.split_on_char '\n' text))
