(* site --root CHECKOUT --odoc FOLDER --out FOLDER [--lab FOLDER] makes the site;
   site --check FOLDER checks one that is there. *)

let read path = In_channel.with_open_bin path In_channel.input_all

let rec make_folder path =
  if not (Sys.file_exists path) then (
    make_folder (Filename.dirname path);
    Sys.mkdir path 0o755)

let write out path text =
  let path = Filename.concat out path in
  make_folder (Filename.dirname path);
  Out_channel.with_open_bin path (fun c -> output_string c text)

let fail fmt = Printf.ksprintf failwith fmt

(* -- pages of Markdown ------------------------------------------------------- *)

type document = { page : Pages.t; html : string; headings : Markdown.heading list }

let document root (page : Pages.t) =
  let text = Markdown.part page.part (read (Filename.concat root page.source)) in
  let html, headings = Markdown.with_headings (Markdown.html text) in
  { page; html; headings }

(* Where [path] with [anchor], as the document named it, is on the site. *)
let address documents ~source (path, anchor) =
  let path = if path = "" then source else Links.resolve ~from:source path in
  let of_source = List.filter (fun d -> d.page.Pages.source = path) documents in
  let has d = List.exists (fun (h : Markdown.heading) -> h.id = anchor) d.headings in
  match (of_source, List.find_opt has of_source) with
  | [], _ -> `File path
  | first :: _, _ when anchor = "" -> `Page first.page.url
  | _, Some d -> `Page (d.page.url ^ "#" ^ anchor)
  | _, None -> fail "%s: no heading %s in %s" source anchor path

let split_anchor target =
  match String.index_opt target '#' with
  | None -> (target, "")
  | Some i -> (String.sub target 0 i, String.sub target (i + 1) (String.length target - i - 1))

let is_external target = Str.string_match (Str.regexp "[a-z]+:") target 0

(* Files that documents lead to get a page of their own. *)
let sources = Hashtbl.create 16

let source_page root path =
  let path = if String.ends_with ~suffix:"/" path then Filename.chop_suffix path "/" else path in
  if not (Sys.file_exists (Filename.concat root path)) then fail "no file %s" path;
  Hashtbl.replace sources path ();
  if Sys.is_directory (Filename.concat root path) then "source/" ^ path ^ "/index.html"
  else "source/" ^ path ^ ".html"

let figure root path alt =
  if Filename.check_suffix path ".svg" then read (Filename.concat root path)
  else Printf.sprintf {|<img src="%s" alt="%s">|} (Filename.basename path) alt

(* A long name of code may be broken after these characters. *)
let breakable g =
  Printf.sprintf "<code>%s</code>" (Markdown.replace "[/:,]" (fun g -> g.(0) ^ "<wbr>") g.(1))

let rewritten root out api documents { page; html; _ } =
  let source = page.source in
  let target t =
    if is_external t then t
    else
      match address documents ~source (split_anchor t) with
      | `Page url -> url
      | `File path -> source_page root path
  in
  let image g =
    let path = Links.resolve ~from:source g.(1) in
    if not (Filename.check_suffix path ".svg") then
      write out (Filename.basename path) (read (Filename.concat root path));
    Printf.sprintf "<figure>%s</figure>" (figure root path g.(2))
  in
  let code g =
    match Api.link api g.(1) with
    | Some url -> Printf.sprintf {|<a href="%s">%s</a>|} url g.(0)
    | None -> g.(0)
  in
  html
  |> Markdown.replace {|<a href="\([^"#][^"]*\|#[^"]*\)">|} (fun g ->
      Printf.sprintf {|<a href="%s">|} (target g.(1)))
  |> Markdown.replace {|<p><img src="\([^"]*\)" alt="\([^"]*\)" /></p>|} image
  |> Markdown.replace {|<code>\(Weir_[A-Za-z_.]*\)</code>|} code
  |> Markdown.replace "<code>\\([^<\n]*\\)</code>" breakable
  |> Markdown.replace "<table>" (fun _ -> {|<div class="wide"><table>|})
  |> Markdown.replace "</table>" (fun _ -> "</table></div>")

let contents headings =
  List.filter (fun (h : Markdown.heading) -> h.level = 2) headings
  |> List.map (fun (h : Markdown.heading) -> ("#" ^ h.id, h.title))

let document_page root out api documents ~lab d =
  let body = rewritten root out api documents d in
  let body =
    if d.page.url = "lab.html" && lab then
      body ^ {|<p><a href="lab/index.html">The report of a run</a> is part of this site.</p>|}
    else body
  in
  let title = match d.headings with h :: _ -> Markdown.text h.title | [] -> d.page.name in
  { Template.url = d.page.url; title; body; under = d.page.url; contents = contents d.headings }

(* -- pages of sources -------------------------------------------------------- *)

let source_file root path =
  let language =
    if Filename.check_suffix path ".ml" || Filename.check_suffix path ".mli" then "ocaml"
    else "plaintext"
  in
  let body =
    Printf.sprintf {|<h1>%s</h1><pre><code class="language-%s">%s</code></pre>|} path language
      (Template.escape (read (Filename.concat root path)))
  in
  { Template.url = "source/" ^ path ^ ".html"; title = path; body; under = ""; contents = [] }

let source_folder root path =
  let files =
    Sys.readdir (Filename.concat root path)
    |> Array.to_list |> List.sort compare
    |> List.filter (fun f -> Filename.check_suffix f ".ml")
  in
  let line f = Printf.sprintf {|<li><a href="%s.html"><code>%s</code></a></li>|} f f in
  let body =
    Printf.sprintf "<h1>%s/</h1><ul>%s</ul>" path (String.concat "\n" (List.map line files))
  in
  { Template.url = "source/" ^ path ^ "/index.html"; title = path; body; under = ""; contents = [] }
  :: List.map (fun f -> source_file root (path ^ "/" ^ f)) files

let source_pages root =
  Hashtbl.fold (fun path () acc -> path :: acc) sources []
  |> List.sort compare
  |> List.concat_map (fun path ->
      if Sys.is_directory (Filename.concat root path) then source_folder root path
      else [ source_file root path ])

(* -- search ------------------------------------------------------------------ *)

let under_heading = Markdown.replace "^[^\n]*</h[1-4]>" (fun _ -> "")

(* The text under each heading. *)
let sections d =
  let pieces = Str.full_split (Str.regexp {|<h[1-4] id="[^"]*">|}) d.html in
  let name = d.page.name in
  let rec go headings pieces =
    match (headings, pieces) with
    | (h : Markdown.heading) :: headings, Str.Delim _ :: Str.Text text :: pieces ->
        let title = Markdown.text h.title in
        let title = if h.level = 1 then name else name ^ ": " ^ title in
        ("", title, d.page.url ^ "#" ^ h.id, Markdown.text (under_heading text))
        :: go headings pieces
    | headings, _ :: pieces -> go headings pieces
    | _, [] -> []
  in
  go d.headings pieces

let index documents api =
  let entry (kind, name, url, text) =
    `List [ `String kind; `String name; `String url; `String text ]
  in
  let entries = List.concat_map sections documents @ Api.entries api in
  "const index = " ^ Yojson.Safe.to_string (`List (List.map entry entries)) ^ ";\n"

(* -- the whole --------------------------------------------------------------- *)

let copy_folder from out under =
  List.iter
    (fun f -> write out (under ^ "/" ^ f) (read (Filename.concat from f)))
    (Links.files from)

let copy_assets root out =
  List.iter
    (fun name -> write out name (read (Filename.concat root ("doc/site/" ^ name))))
    [ "style.css"; "site.js" ];
  let theme = Filename.concat out "odoc" in
  let command = Filename.quote_command "odoc" [ "support-files"; "--without-theme"; "-o"; theme ] in
  if Sys.command command <> 0 then fail "odoc support-files failed";
  write out "highlight.pack.js" (read (Filename.concat theme "highlight.pack.js"));
  ignore (Sys.command (Filename.quote_command "rm" [ "-r"; theme ]))

let check out =
  match Links.faults out with
  | [] -> Printf.printf "%d pages, all links lead somewhere\n" (List.length (Links.html_files out))
  | faults -> fail "broken links:\n%s" (String.concat "\n" faults)

let make ~root ~odoc ~out ~lab =
  let api = Api.load odoc in
  let documents = List.map (document root) Pages.all in
  let pages = List.map (document_page root out api documents ~lab:(lab <> "")) documents in
  let pages = pages @ source_pages root @ Api.pages api in
  List.iter (fun (p : Template.page) -> write out p.url (Template.html p)) pages;
  write out "search-index.js" (index documents api);
  copy_assets root out;
  if lab <> "" then copy_folder lab out "lab";
  check out

let () =
  let root = ref "." and odoc = ref "" and out = ref "" and lab = ref "" and checked = ref "" in
  Arg.parse
    [
      ("--root", Set_string root, "CHECKOUT the sources");
      ("--odoc", Set_string odoc, "FOLDER dune's _doc, made by the alias doc-json");
      ("--out", Set_string out, "FOLDER where the site goes");
      ("--lab", Set_string lab, "FOLDER a report of the lab, to be part of the site");
      ("--check", Set_string checked, "FOLDER check the links of a site");
    ]
    (fun word -> raise (Arg.Bad word))
    "site: makes Weir's site";
  try if !checked <> "" then check !checked else make ~root:!root ~odoc:!odoc ~out:!out ~lab:!lab
  with Failure why | Sys_error why ->
    prerr_endline ("site: " ^ why);
    exit 1
