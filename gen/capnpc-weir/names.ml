open Model
include Weir_naming

let file_module filename =
  capital (Filename.remove_extension (Filename.basename filename)) ^ "_capnp"

let file_base filename = snake (Filename.remove_extension (Filename.basename filename)) ^ "_capnp"

let node (t : Model.t) id =
  match Hashtbl.find_opt t.nodes id with
  | Some n -> n
  | None -> failwith (Printf.sprintf "the request names type %Lx and does not describe it" id)

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
  (* Within their modules types are [t], and what says which member a union holds [which]. *)
  let flats = ref ([ "t"; "which" ] @ keywords @ builtin) in
  let rec grow path (n : node) =
    let kids =
      List.filter_map
        (fun (name, id) -> Option.map (fun k -> (name, k)) (Hashtbl.find_opt t.nodes id))
        (children t n)
    in
    let modul taken name = capital ~taken:([ "R"; "B"; "Capnp" ] @ taken) name in
    let step (taken, out) (name, (kid : node)) =
      match kid.body with
      | Const _ | Annotation_node ->
          (* No type and no module, so it takes no name from one. *)
          (taken, { node = kid; modul = ""; here = { flat = ""; path; file }; kids = [] } :: out)
      | File | Struct_node _ | Enum_node _ | Interface_node _ ->
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
  grow [] (node t file)

let rec homes table l =
  List.iter
    (fun tree ->
      Hashtbl.replace table tree.node.id tree.here;
      homes table tree.kids)
    l
