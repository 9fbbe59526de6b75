type step =
  | Write of string * string
  | Append of string * string
  | Run of string
  | Output of string

let file_of line =
  match String.split_on_char '`' line with
  | [ "Write "; file; ":" ] -> Some (fun body -> Write (file, body))
  | [ "Add to "; file; ":" ] -> Some (fun body -> Append (file, body))
  | _ -> None

let step ~before ~language body =
  match (file_of before, language) with
  | Some f, _ -> f body
  | None, "sh" -> Run body
  | None, "" when String.ends_with ~suffix:"prints:" before -> Output body
  | None, _ -> Printf.ksprintf failwith "a block after %S is no step" before

(* [block] is given the line before, the language and the body of each block, and makes
   the block's lines; the others stay. *)
let map_blocks block text =
  let rec go acc before = function
    | line :: rest when String.starts_with ~prefix:"```" line ->
        let language = String.sub line 3 (String.length line - 3) in
        let body, rest = inside [] rest in
        go (List.rev_append (block ~before ~language body) acc) "" rest
    | line :: rest -> go (line :: acc) (if line = "" then before else line) rest
    | [] -> List.rev acc
  and inside acc = function
    | "```" :: rest -> (List.rev acc, rest)
    | line :: rest -> inside (line :: acc) rest
    | [] -> failwith "a block does not end"
  in
  go [] "" (String.split_on_char '\n' text)

let joined lines = String.concat "" (List.map (fun l -> l ^ "\n") lines)

let steps text =
  let found = ref [] in
  let note ~before ~language body =
    found := step ~before ~language (joined body) :: !found;
    []
  in
  ignore (map_blocks note text);
  List.rev !found

let script ~folder steps =
  let command i = function
    | Write (file, body) -> Printf.sprintf "cat > %s <<'END OF FILE'\n%sEND OF FILE\n" file body
    | Append (file, body) ->
        Printf.sprintf "{ echo; cat; } >> %s <<'END OF FILE'\n%sEND OF FILE\n" file body
    | Run commands -> Printf.sprintf "{\n%s} > %s/%d 2>&1\n" commands folder i
    | Output _ -> ""
  in
  String.concat "" ("set -e\n" :: List.mapi command steps)

let with_outputs text outputs =
  let left = ref outputs in
  let block ~before ~language body =
    let body =
      match (step ~before ~language (joined body), !left) with
      | Output _, output :: rest ->
          left := rest;
          String.split_on_char '\n' (String.trim output)
      | _ -> body
    in
    (("```" ^ language) :: body) @ [ "```" ]
  in
  String.concat "\n" (map_blocks block text)
