type page = {
  url : string;
  title : string;
  body : string;
  under : string;
  contents : (string * string) list;
}

let up url = String.concat "" (List.map (fun _ -> "../") (List.tl (String.split_on_char '/' url)))

let escape =
  Markdown.replace "[&<>\"]" (fun g ->
      match g.(0) with "&" -> "&amp;" | "<" -> "&lt;" | ">" -> "&gt;" | _ -> "&quot;")

let reference = ("api/weir/index.html", "API of all libraries")

let entries (group, pages) =
  let pages = List.map (fun (p : Pages.t) -> (p.url, p.name)) pages in
  if group = "Reference" then reference :: pages else pages

let link (url, text) = Printf.sprintf {|<a href="%s">%s</a>|} url text
let item ?(mark = "") inner = Printf.sprintf "<li%s>%s</li>\n" mark inner
let list items = if items = [] then "" else "<ul>" ^ String.concat "" items ^ "</ul>"

let navigation page =
  let entry (url, name) =
    let a = link (up page.url ^ url, escape name) in
    if url <> page.under then item a
    else item ~mark:{| class="here"|} (a ^ list (List.map (fun c -> item (link c)) page.contents))
  in
  let group ((name, _) as g) =
    Printf.sprintf "<h2>%s</h2>%s" name (list (List.map entry (entries g)))
  in
  String.concat "\n" (List.map group Pages.groups)

let html page =
  let root = up page.url in
  Printf.sprintf
    {|<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="%sstyle.css">
<body data-root="%s">
<header>
<a class="name" href="%sindex.html">Weir</a>
<input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
<a class="to-nav" href="#nav">Contents</a>
</header>
<div id="results" hidden></div>
<main>
%s
</main>
<nav id="nav" aria-label="Contents">
%s
</nav>
<script src="%shighlight.pack.js"></script>
<script src="%ssite.js"></script>
</body>
</html>
|}
    (escape (if page.title = "Weir" then "Weir" else page.title ^ " - Weir"))
    root root root page.body (navigation page) root root
