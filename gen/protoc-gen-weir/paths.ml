type unknown = Keep | Hidden | Drop
type style = Flat | Package | Folders | Source_relative

type t = {
  style : style;
  mapped : (string * string) list;
  local : bool;
  fast_json : bool;
  unknown : unknown;
  forms : Forms.t;
  dune : string option;
  parameter : string;
}

let dune t = t.dune
let fast_json t = t.fast_json
let unknown t = t.unknown
let forms t = t.forms

let none =
  {
    style = Flat;
    mapped = [];
    local = false;
    fast_json = false;
    unknown = Keep;
    forms = Forms.none;
    dune = None;
    parameter = "";
  }

let known =
  "paths=flat, package, folders or source_relative, json=fast, unknown=keep, hidden or drop, \
   Mfile.proto=Module, local, " ^ Forms.known ^ " and dune=folder are known"

let after prefix s =
  let n = String.length prefix in
  if String.starts_with ~prefix s then Some (String.sub s n (String.length s - n)) else None

let add t o =
  let is prefix = String.starts_with ~prefix o in
  match (String.index_opt o '=', o) with
  | _, "" -> t
  | _, "local" -> { t with local = true }
  | _, "json=fast" -> { t with fast_json = true }
  | _, "json=small" -> { t with fast_json = false }
  | _, "unknown=keep" -> { t with unknown = Keep }
  | _, "unknown=hidden" -> { t with unknown = Hidden }
  | _, "unknown=drop" -> { t with unknown = Drop }
  | _, "paths=flat" -> { t with style = Flat }
  | _, "paths=package" -> { t with style = Package }
  | _, "paths=folders" -> { t with style = Folders }
  | _, "paths=source_relative" -> { t with style = Source_relative }
  | Some i, _ when is "M" ->
      let name = String.sub o (i + 1) (String.length o - i - 1) in
      { t with mapped = (String.sub o 1 (i - 1), name) :: t.mapped }
  | Some _, _ when is "dune=" -> { t with dune = after "dune=" o }
  | _ -> (
      match Forms.option t.forms o with
      | Some forms -> { t with forms }
      | None -> failwith (o ^ ": unknown option (" ^ known ^ ")"))

let of_parameter parameter =
  let options = String.split_on_char ',' (Option.value parameter ~default:"") in
  let kept = List.filter (fun o -> o <> "" && after "dune=" o = None) options in
  let t = List.fold_left add none options in
  { t with mapped = List.rev t.mapped; parameter = String.concat "," kept }

let parts c s = List.filter (fun s -> s <> "" && s <> ".") (String.split_on_char c s)

let folders_of path =
  List.map (fun s -> Names.capital (Names.plain s)) (parts '/' (Filename.dirname path))

(* The modules that a file's is in, and what its module is called there. *)
let place t schema path =
  match t.style with
  | Flat -> ([], Names.file_module path)
  | Package | Folders ->
      let package = parts '.' (Schema.file schema path).package in
      ([], Names.file_module (String.concat "_" (package @ [ Filename.basename path ])))
  | Source_relative -> (folders_of path, Names.file_module path)

let output t schema path =
  let folders, name = place t schema path in
  let folders = if t.style = Folders then folders_of path else folders in
  String.concat "/" (List.map String.uncapitalize_ascii (folders @ [ name ]))

let check t schema paths =
  let seen = Hashtbl.create 64 in
  List.iter
    (fun path ->
      let out = output t schema path in
      match Hashtbl.find_opt seen out with
      | Some other ->
          failwith
            (Printf.sprintf
               "%s and %s would both become %s.ml: paths=package or paths=source_relative tells \
                them apart, or run protoc once for each"
               other path out)
      | None -> Hashtbl.add seen out path)
    paths

let shipped =
  [
    "any"; "api"; "descriptor"; "duration"; "empty"; "field_mask"; "source_context"; "struct";
    "timestamp"; "type"; "wrappers"; "compiler/plugin";
  ] [@ocamlformat "disable"]

let is_shipped path = List.exists (fun n -> path = "google/protobuf/" ^ n ^ ".proto") shipped

(* What stands in a folder, as far as the request tells. *)
let stands_in t schema folder name =
  let rec below folder rest =
    match (folder, rest) with
    | [], first :: _ -> first = name
    | a :: folder, b :: rest -> a = b && below folder rest
    | _, [] -> false
  in
  Schema.exists_file schema (fun path ->
      let folders, m = place t schema path in
      below folder (folders @ [ m ]))

(* Names go up from the folder that a module is in: the nearest wins. *)
let from_folder t schema ~here path =
  let rec go shared from target =
    match (from, target) with
    | a :: from, b :: (_ :: _ as target) when a = b -> go (shared @ [ a ]) from target
    | _ -> (shared, from, target)
  in
  let own, _ = place t schema here and folders, name = place t schema path in
  let shared, between, target = go [] own (folders @ [ name ]) in
  let rec hides folder = function
    | [] -> ()
    | next :: rest ->
        let folder = folder @ [ next ] in
        if stands_in t schema folder (List.hd target) then
          failwith
            (Printf.sprintf "%s: %s is hidden by %s beside it: use paths=package" here path
               (String.concat "." (folder @ [ List.hd target ])))
        else hides folder rest
  in
  hides shared between;
  String.concat "." target

let module_of t schema ~here path =
  match List.assoc_opt path t.mapped with
  | Some m -> m
  | None when is_shipped path && not t.local -> "Weir_protobuf_types." ^ Names.file_module path
  | None -> (
      match t.style with
      | Flat | Package | Folders -> snd (place t schema path)
      | Source_relative -> from_folder t schema ~here path)

let rule t schema ~folder paths =
  let b = Buffer.create 1000 in
  let lines l = List.iter (fun s -> Printf.bprintf b "  %s\n" s) l in
  let out = List.map (output t schema) paths in
  Buffer.add_string b "(rule\n (targets\n";
  lines (List.concat_map (fun o -> [ o ^ ".ml"; o ^ ".mli" ]) out);
  Printf.bprintf b " )\n (deps (source_tree %s))\n (action\n  (run protoc -I%s\n" folder folder;
  lines [ " --plugin=protoc-gen-weir=%{bin:protoc-gen-weir}"; " --weir_out=." ];
  if t.parameter <> "" then lines [ " --weir_opt=" ^ t.parameter ];
  lines (List.map (fun p -> Printf.sprintf " %S" (folder ^ "/" ^ p)) paths);
  Buffer.add_string b " )))\n";
  Buffer.contents b
