(* What the documents name is in the tree, and what the tree cites is in the
   documents. A file is named as `path`, a definition or a test case in it as
   `path:name`, several as `path:name,name`. *)

open Weir_test

let root = Suite.project_root ()
let in_root path = Filename.concat root path
let read path = In_channel.with_open_bin (in_root path) In_channel.input_all

let rec files_under folder =
  Sys.readdir (in_root folder)
  |> Array.to_list |> List.sort compare
  |> List.concat_map (fun name ->
      let path = folder ^ "/" ^ name in
      if name.[0] = '.' || name.[0] = '_' then []
      else if Sys.is_directory (in_root path) then files_under path
      else [ path ])

let with_suffix suffixes files =
  List.filter (fun f -> List.exists (Filename.check_suffix f) suffixes) files

(* All matches of [re]'s first group in [s], each once. *)
let matches re s =
  let rec go acc at =
    match Str.search_forward re s at with
    | exception Not_found -> List.sort_uniq compare acc
    | _ ->
        let found = Str.matched_group 1 s in
        go (found :: acc) (Str.match_end ())
  in
  go [] 0

let none what = function
  | [] -> ()
  | missing -> Alcotest.failf "%s:\n%s" what (String.concat "\n" missing)

let documents () =
  [ "README.md"; "HACKING.md"; "CHANGES.md" ]
  @ List.filter (fun f -> Filename.check_suffix f ".md") (files_under "doc")

(* -- names --------------------------------------------------------------- *)

let token =
  Str.regexp "`\\([a-z][a-z0-9_./-]*\\.\\(mli\\|ml\\|c\\|md\\|expected\\)\\(:[^`]*\\)?\\)`"

let keywords =
  [
    "let";
    "and";
    "rec";
    "method";
    "private";
    "val";
    "external";
    "type";
    "class";
    "virtual";
    "module";
  ]

let defines text name =
  let name = Str.quote name in
  let definition =
    Printf.sprintf {|\b\(%s\)\(\[@[a-z]+\]\)? +%s\b|} (String.concat {|\||} keywords) name
  in
  let variant = Printf.sprintf {|| %s\b|} name and case = Printf.sprintf {|"%s"|} name in
  let field = Printf.sprintf {|^ +\(mutable \)?%s :|} name in
  let re = Str.regexp (String.concat {|\||} [ definition; variant; case; field ]) in
  match Str.search_forward re text 0 with _ -> true | exception Not_found -> false

let faults_of document token =
  let path, names =
    match String.index_opt token ':' with
    | None -> (token, [])
    | Some i ->
        ( String.sub token 0 i,
          String.split_on_char ',' (String.sub token (i + 1) (String.length token - i - 1)) )
  in
  if not (String.contains path '/') then []
  else if not (Sys.file_exists (in_root path)) then [ document ^ ": no file " ^ path ]
  else
    let text = read path in
    List.filter (fun name -> not (defines text name)) names
    |> List.map (fun name -> Printf.sprintf "%s: no %s in %s" document name path)

let named () =
  let faults =
    List.concat_map
      (fun document -> List.concat_map (faults_of document) (matches token (read document)))
      (documents ())
  in
  none "named but not there" faults

let link = Str.regexp "](\\([^)#:]*\\))"

let links () =
  let faults document =
    matches link (read document)
    |> List.filter (fun target ->
        target <> ""
        && not (Sys.file_exists (in_root (Filename.concat (Filename.dirname document) target))))
    |> List.map (fun target -> document ^ ": " ^ target)
  in
  none "links to nowhere" (List.concat_map faults (documents ()))

(* -- RFCs ---------------------------------------------------------------- *)

(* A number may stand on the line after the word. *)
let rfc = Str.regexp "RFCs?[ \n\r\t]+\\([0-9]+\\)"
let rfcs text = matches rfc text
let but_not a b = List.filter (fun x -> not (List.mem x b)) a

let cited () =
  let sources = with_suffix [ ".ml"; ".mli"; ".c" ] (files_under "src") in
  let cited = List.sort_uniq compare (List.concat_map (fun f -> rfcs (read f)) sources) in
  let listed = rfcs (read "doc/rfc.md") in
  none "cited in src, not in doc/rfc.md" (but_not cited listed);
  none "in doc/rfc.md, not cited in src" (but_not listed cited)

(* -- lists that must be whole -------------------------------------------- *)

let commands () =
  let all =
    List.map String.lowercase_ascii
      (matches (Str.regexp "\\b\\([A-Z][a-z]*\\)\\.cmd\\b") (read "bin/main.ml"))
  in
  Alcotest.(check bool) "some" true (List.length all >= 6);
  let told = matches (Str.regexp "`weir \\([a-z]+\\)") (read "README.md") in
  none "commands that README leaves out" (but_not all told)

let dune_files = List.concat_map files_under
let public = Str.regexp "(public_name \\(weir[a-z_.-]+\\))"

let libraries () =
  let dunes = List.filter (fun f -> Filename.basename f = "dune") (files_under "src") in
  let all = List.concat_map (fun f -> matches public (read f)) dunes in
  let told = matches (Str.regexp "`\\(weir[.-][a-z_.-]+\\)`") (read "README.md") in
  none "libraries that README leaves out" (but_not all told)

(* -- dependencies -------------------------------------------------------- *)

let stanza = Str.regexp "(\\(libraries\\|pps\\)\\([^()]*\\))"

let words s =
  List.filter (( <> ) "")
    (String.split_on_char ' ' (String.map (function '\n' -> ' ' | c -> c) s))

let named_libraries dune =
  let text = read dune in
  let rec go acc at =
    match Str.search_forward stanza text at with
    | exception Not_found -> acc
    | _ ->
        let found = words (Str.matched_group 2 text) in
        go (found @ acc) (Str.match_end ())
  in
  go [] 0

let own dunes =
  List.concat_map (fun f -> matches (Str.regexp "(name \\([a-z0-9_]+\\))") (read f)) dunes

let contains = Weir_test.Text.contains

(* Libraries of the compiler need no package. *)
let of_compiler = [ "unix"; "str"; "threads"; "dynlink"; "compiler-libs" ]
let package library = List.hd (String.split_on_char '.' library)
let is_ours p = List.mem (p ^ ".opam") (Array.to_list (Sys.readdir (in_root ".")))

let declared () =
  Array.to_list (Sys.readdir (in_root "."))
  |> List.filter (fun f -> Filename.check_suffix f ".opam")
  |> List.concat_map (fun f -> matches (Str.regexp "^  \"\\([a-z0-9_-]+\\)\"") (read f))
  |> List.sort_uniq compare
  |> List.filter (fun p -> not (is_ours p))

(* The programs that rules run by name, but the shell. *)
let programs dunes =
  List.concat_map (fun f -> matches (Str.regexp "(run \\([a-z][a-z0-9_-]*\\) ") (read f)) dunes
  |> List.filter (( <> ) "sh")

let depends () =
  let folders =
    List.filter
      (fun d -> Sys.file_exists (in_root d))
      [ "src"; "bin"; "web"; "gen"; "lab"; "test"; "examples" ]
  in
  let dunes = "dune" :: List.filter (fun f -> Filename.basename f = "dune") (dune_files folders) in
  let optional f = contains (read f) "WEIR_BENCH" in
  let ours = own dunes in
  let needed =
    List.concat_map named_libraries (List.filter (fun f -> not (optional f)) dunes)
    |> List.filter (fun l -> not (List.mem l ours))
    |> List.map package
    |> List.filter (fun p -> not (is_ours p))
    |> List.filter (fun p -> not (List.mem p of_compiler))
    |> List.sort_uniq compare
  in
  let needed = List.sort_uniq compare (needed @ programs dunes) in
  let declared = declared () in
  none "used, not in dune-project" (but_not needed declared);
  none "in dune-project, not used" (but_not declared (needed @ [ "dune"; "ocaml"; "odoc"; "mdx" ]));
  let explained = matches (Str.regexp "^| `\\([a-z0-9_-]+\\)`") (read "doc/rationale.md") in
  none "not in doc/rationale.md" (but_not needed explained)

let () =
  Suite.run "doc"
    [
      ( "documents",
        [
          Suite.case "files, definitions and tests" named;
          Suite.case "links" links;
          Suite.case "RFCs" cited;
          Suite.case "commands" commands;
          Suite.case "libraries" libraries;
          Suite.case "dependencies" depends;
        ] );
    ]
