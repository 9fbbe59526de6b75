type t = {
  folder : string;
  names : (string, string) Hashtbl.t;
  entries : (string * string * string * string) list;
}

(* Packages without a library for users. *)
let without = [ "weir-dev"; "weir-cli"; "weir-protoc" ]
let package path = List.hd (String.split_on_char '/' path)
let kept path = not (List.mem (package path) without)
let home = "weir/index.html"
let string = function `String s -> s | _ -> ""
let list = function `List l -> l | _ -> []

(* -- names ------------------------------------------------------------------ *)

let shorten n s =
  if String.length s <= n then s
  else
    let cut = String.sub s 0 n in
    String.sub cut 0 (Option.value ~default:n (String.rindex_opt cut ' ')) ^ " …"

let index folder =
  let out = Filename.temp_file "weir-index" ".json" in
  let units =
    List.filter (fun f -> Filename.check_suffix f ".odocl") (Links.files (folder ^ "/_odocls"))
    |> List.filter kept
    |> List.map (fun f -> Filename.concat (folder ^ "/_odocls") f)
  in
  let command =
    Filename.quote_command "odoc" ("compile-index" :: "--json" :: "-o" :: out :: units)
  in
  if Sys.command command <> 0 then failwith "odoc compile-index failed: is odoc 3 installed?";
  Fun.protect ~finally:(fun () -> Sys.remove out) (fun () -> Yojson.Safe.from_file out)

let entry folder json =
  let kind = string Yojson.Safe.Util.(json |> member "kind" |> member "kind") in
  let path = list Yojson.Safe.Util.(json |> member "id") in
  let named = List.map (fun step -> string (Yojson.Safe.Util.member "name" step)) path in
  let url = string Yojson.Safe.Util.(json |> member "display" |> member "url") in
  let own = Printf.sprintf "%s/%s/index.html" (package url) (String.concat "/" named) in
  let url = if Sys.file_exists (folder ^ "/_html/" ^ own ^ ".json") then own else url in
  let doc = string Yojson.Safe.Util.(json |> member "doc") in
  if List.mem kind [ "Doc"; "Dir"; "Page" ] || not (kept url) then None
  else Some (kind, String.concat "." named, "api/" ^ url, shorten 160 doc)

let load folder =
  let entries = List.filter_map (entry folder) (list (index folder)) in
  let names = Hashtbl.create 6_000 in
  List.iter (fun (_, name, url, _) -> Hashtbl.replace names name url) entries;
  { folder; names; entries }

let link t name = Hashtbl.find_opt t.names name
let entries t = t.entries

(* -- pages ------------------------------------------------------------------ *)

(* odoc leaves what is in another package unresolved: the entrance names all. *)
let with_links t ~url html =
  Markdown.replace "<code>\\(Weir_[A-Za-z_.]*\\)</code>"
    (fun g ->
      match link t g.(1) with
      | Some target when url = "api/" ^ home ->
          Printf.sprintf {|<a href="%s%s">%s</a>|} (Template.up url) target g.(0)
      | _ -> g.(0))
    html

(* Some of odoc's links name a module as the compiler does, Weir_flow__Flow. *)
let direct =
  Markdown.replace {|href="\([^"]*[a-z]\)__\([A-Z][^"]*\)"|} (fun g ->
      Printf.sprintf {|href="%s/%s"|} g.(1) g.(2))

let rec contents json =
  List.concat_map
    (fun entry ->
      let field name = string (Yojson.Safe.Util.member name entry) in
      (field "href", field "title") :: contents (Yojson.Safe.Util.member "children" entry))
    (list json)

let crumbs ~url json =
  list json
  |> List.map (fun crumb ->
      let field name = string (Yojson.Safe.Util.member name crumb) in
      match (field "name", field "href") with
      | "Index", _ -> Printf.sprintf {|<a href="%sapi/%s">API</a>|} (Template.up url) home
      | name, "#" -> name
      | name, href -> Printf.sprintf {|<a href="%s">%s</a>|} href name)
  |> String.concat " › "

let page t file =
  let json = Yojson.Safe.from_file (t.folder ^ "/_html/" ^ file) in
  let url = "api/" ^ Filename.chop_suffix file ".json" in
  let member name = Yojson.Safe.Util.member name json in
  let html name = string (member name) in
  let entrance = url = "api/" ^ home in
  let body =
    Printf.sprintf "<p class=\"crumbs\">%s</p>\n<div class=\"odoc\">%s%s%s</div>"
      (crumbs ~url (member "breadcrumbs"))
      (html "header") (html "preamble") (html "content")
  in
  let title = if entrance then "API of all libraries" else Markdown.text (html "header") in
  {
    Template.url;
    title;
    body = direct (with_links t ~url body);
    under = fst Template.reference;
    contents = contents (member "toc");
  }

let pages t =
  Links.files (t.folder ^ "/_html")
  |> List.filter (fun f -> Filename.check_suffix f ".html.json" && kept f)
  |> List.map (page t)
