type heading = { level : int; id : string; title : string }

let groups_of s =
  Array.init 5 (fun i -> try Str.matched_group i s with Not_found | Invalid_argument _ -> "")

let replace re f s = Str.global_substitute (Str.regexp re) (fun s -> f (groups_of s)) s

(* -- parts of a document --------------------------------------------------- *)

let starts prefix s = String.starts_with ~prefix s

(* Each line with whether it stands in a fenced block. *)
let lines text =
  let fenced = ref false in
  String.split_on_char '\n' text
  |> List.map (fun line ->
      let inside = !fenced in
      if starts "```" line then fenced := not inside;
      (inside || starts "```" line, line))

let rec split_at p before = function
  | x :: rest when not (p x) -> split_at p (x :: before) rest
  | rest -> (List.rev before, rest)

let part which text =
  let is_section (fenced, line) = (not fenced) && starts "## " line in
  let titled title (fenced, line) = (not fenced) && line = "## " ^ title in
  let raise_heading (fenced, line) =
    if (not fenced) && starts "##" line then String.sub line 1 (String.length line - 1) else line
  in
  let found title =
    match split_at (titled title) [] (lines text) with
    | _, [] -> failwith ("no section " ^ title)
    | before, heading :: rest -> (before, heading, rest)
  in
  match (which : Pages.part) with
  | Whole -> text
  | Before title ->
      let before, _, _ = found title in
      String.concat "\n" (List.map snd before)
  | Section title ->
      let _, heading, rest = found title in
      let body, _ = split_at is_section [] rest in
      String.concat "\n" (List.map raise_heading (heading :: body))

(* -- HTML ------------------------------------------------------------------ *)

let html text =
  let command = [| "cmark-gfm"; "-e"; "table"; "-e"; "autolink" |] in
  let out, into = Unix.open_process_args command.(0) command in
  output_string into text;
  close_out into;
  let html = In_channel.input_all out in
  match Unix.close_process (out, into) with
  | WEXITED 0 -> html
  | _ -> failwith "cmark-gfm failed: is it installed?"

let text html =
  html
  |> replace "<[^>]*>" (fun _ -> "")
  |> replace "&\\(lt\\|gt\\|quot\\|amp\\|#39\\);" (fun g ->
      match g.(1) with "lt" -> "<" | "gt" -> ">" | "quot" -> "\"" | "amp" -> "&" | _ -> "'")
  |> replace "[ \n\t]+" (fun _ -> " ")

let slug title =
  String.lowercase_ascii (text title)
  |> String.to_seq
  |> Seq.filter_map (function
    | ' ' -> Some '-'
    | ('a' .. 'z' | '0' .. '9' | '-' | '_' | '\128' .. '\255') as c -> Some c
    | _ -> None)
  |> String.of_seq

let with_headings html =
  let seen = Hashtbl.create 16 and found = ref [] in
  let html =
    replace "<h\\([1-4]\\)>\\([^\n]*\\)</h[1-4]>"
      (fun g ->
        let level = int_of_string g.(1) and title = g.(2) in
        let base = slug title in
        let times = Option.value ~default:0 (Hashtbl.find_opt seen base) in
        Hashtbl.replace seen base (times + 1);
        let id = if times = 0 then base else Printf.sprintf "%s-%d" base times in
        found := { level; id; title } :: !found;
        Printf.sprintf {|<h%d id="%s">%s<a class="anchor" href="#%s" aria-label="link"></a></h%d>|}
          level id title id level)
      html
  in
  (html, List.rev !found)
