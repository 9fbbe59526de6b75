let read path = In_channel.with_open_bin path In_channel.input_all

let rec files ?(prefix = "") folder =
  Sys.readdir (Filename.concat folder prefix)
  |> Array.to_list |> List.sort compare
  |> List.concat_map (fun name ->
      let path = if prefix = "" then name else prefix ^ "/" ^ name in
      if Sys.is_directory (Filename.concat folder path) then files ~prefix:path folder else [ path ])

let files folder = files folder
let html_files folder = List.filter (fun f -> Filename.check_suffix f ".html") (files folder)

let resolve ~from path =
  let step above = function
    | "" | "." -> above
    | ".." -> ( match above with [] -> [ ".." ] | _ :: rest -> rest)
    | name -> name :: above
  in
  let start = List.fold_left step [] (String.split_on_char '/' (Filename.dirname from)) in
  String.concat "/" (List.rev (List.fold_left step start (String.split_on_char '/' path)))

let all re text =
  let re = Str.regexp re in
  let rec go acc at =
    match Str.search_forward re text at with
    | exception Not_found -> List.sort_uniq compare acc
    | _ ->
        let found = Str.matched_group 1 text in
        go (found :: acc) (Str.match_end ())
  in
  go [] 0

let external_re = Str.regexp {|https?://[A-Za-z0-9.-]+\.[a-z]+\(:[0-9]+\)?\(/[^ <>"]*\)?$|}
let scheme = Str.regexp {|[a-z]+:|}

let faults folder =
  let pages = html_files folder in
  let anchors = Hashtbl.create 600 in
  let links = Hashtbl.create 600 in
  let note page =
    let text = read (Filename.concat folder page) in
    let ids = Hashtbl.create 16 in
    List.iter (fun id -> Hashtbl.replace ids id ()) (all {| id="\([^"]*\)"|} text);
    Hashtbl.replace anchors page ids;
    Hashtbl.replace links page (all {| href="\([^"]*\)"|} text @ all {| src="\([^"]*\)"|} text)
  in
  let fault page target =
    let at, anchor =
      match String.index_opt target '#' with
      | None -> (target, "")
      | Some i -> (String.sub target 0 i, String.sub target (i + 1) (String.length target - i - 1))
    in
    let path = if at = "" then page else resolve ~from:page at in
    if Str.string_match scheme target 0 then
      if Str.string_match external_re target 0 || String.starts_with ~prefix:"data:" target then
        None
      else Some "no address"
    else
      match Hashtbl.find_opt anchors path with
      | Some ids when anchor = "" || Hashtbl.mem ids anchor -> None
      | Some _ -> Some "no such anchor"
      | None when anchor = "" && Sys.file_exists (Filename.concat folder path) ->
          if Sys.is_directory (Filename.concat folder path) then Some "a folder" else None
      | None -> Some "no such file"
  in
  List.iter note pages;
  List.concat_map
    (fun page ->
      List.filter_map
        (fun target ->
          Option.map (fun why -> Printf.sprintf "%s: %s: %s" page target why) (fault page target))
        (Hashtbl.find links page))
    pages
