let max_entries = 10_000

let escape s =
  let b = Buffer.create (String.length s + 16) in
  let add = function
    | '<' -> Buffer.add_string b "&lt;"
    | '>' -> Buffer.add_string b "&gt;"
    | '&' -> Buffer.add_string b "&amp;"
    | '"' -> Buffer.add_string b "&quot;"
    | '\'' -> Buffer.add_string b "&#39;"
    | c -> Buffer.add_char b c
  in
  String.iter add s;
  Buffer.contents b

let order (a, kind_a) (b, kind_b) =
  match (kind_a, kind_b) with
  | `Directory, `File -> -1
  | `File, `Directory -> 1
  | _ -> String.compare a b

let item b (name, kind) =
  let slash = match kind with `Directory -> "/" | `File -> "" in
  (* Without "./" a name with a colon would look like a scheme. *)
  Printf.bprintf b "<li><a href=\"./%s%s\">%s%s</a></li>\n" (Percent.encode name) slash
    (escape name) slash

let title (path : Path.t) = escape (String.concat "/" (("" :: path.names) @ [ "" ]))

let html ~path entries =
  let b = Buffer.create 1_024 in
  let title = title path in
  Printf.bprintf b
    "<!DOCTYPE html>\n\
     <html><head><meta charset=\"utf-8\"><title>%s</title></head>\n\
     <body><h1>%s</h1>\n\
     <ul>\n"
    title title;
  if path.names <> [] then Buffer.add_string b "<li><a href=\"../\">../</a></li>\n";
  let entries = List.sort order entries in
  List.iteri (fun i entry -> if i < max_entries then item b entry) entries;
  Buffer.add_string b "</ul>\n";
  let more = List.length entries - max_entries in
  if more > 0 then Printf.bprintf b "<p>and %d more</p>\n" more;
  Buffer.add_string b "</body></html>\n";
  Buffer.contents b
