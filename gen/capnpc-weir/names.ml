open Model

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

let file_module filename =
  capital (Filename.remove_extension (Filename.basename filename)) ^ "_capnp"

let file_base filename = snake (Filename.remove_extension (Filename.basename filename)) ^ "_capnp"

type home = { flat : string; path : string list; file : int64 }

(* A declaration and those in it, each with the name of its module. *)
type tree = { node : node; modul : string; here : home; kids : tree list }

(* A struct's groups and an interface's own parameter structs count as nested in it. *)
let children t (n : node) =
  let groups l =
    List.filter_map (fun f -> match f.kind with Group id -> Some (f.name, id) | Slot _ -> None) l
  in
  match n.body with
  | Struct_node l -> n.nested @ groups l.fields
  | Interface_node methods ->
      let own name id =
        match Hashtbl.find_opt t.nodes id with Some { scope = 0L; _ } -> [ (name, id) ] | _ -> []
      in
      n.nested
      @ List.concat_map
          (fun m ->
            own (m.method_name ^ "Params") m.params @ own (m.method_name ^ "Results") m.results)
          methods
  | _ -> n.nested

let trees t (file : int64) =
  let flats = ref (keywords @ builtin) in
  let rec grow path (n : node) =
    let kids =
      List.filter_map
        (fun (name, id) -> Option.map (fun k -> (name, k)) (Hashtbl.find_opt t.nodes id))
        (children t n)
    in
    let modul taken name = capital ~taken:([ "R"; "B"; "Capnp" ] @ taken) name in
    let step (taken, out) (name, (kid : node)) =
      let m = modul taken name in
      let path = path @ [ m ] in
      let flat = free !flats (String.concat "_" (List.map String.lowercase_ascii path)) in
      let which = flat ^ "_which" in
      flats := flat :: which :: !flats;
      let here = { flat; path; file } in
      (m :: taken, { node = kid; modul = m; here; kids = grow path kid } :: out)
    in
    List.rev (snd (List.fold_left step ([], []) kids))
  in
  grow [] (Model.node t file)

let rec homes table l =
  List.iter
    (fun tree ->
      Hashtbl.replace table tree.node.id tree.here;
      homes table tree.kids)
    l
