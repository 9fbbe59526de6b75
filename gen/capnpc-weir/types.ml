open Model
open Printf

type env = {
  model : Model.t;
  file : int64;
  homes : (int64, Names.home) Hashtbl.t;
  modules : (int64, string) Hashtbl.t;  (** the OCaml module of each schema file *)
  groups : (int64, unit) Hashtbl.t;
  listed : (int64, unit) Hashtbl.t;  (** this file's structs of which there are lists *)
  defaults : string list ref;  (** messages of default values, latest first *)
  endless : bool ref;  (** whether one of them would have another of itself within *)
}

let home env id =
  match Hashtbl.find_opt env.homes id with
  | Some h -> h
  | None -> failwith (sprintf "type %Lx belongs to no file of the request" id)

let prefix env (h : Names.home) =
  if h.file = env.file then "" else Hashtbl.find env.modules h.file ^ "."

let enumerants env id =
  match (Names.node env.model id).body with
  | Enum_node names -> List.length names
  | _ -> failwith (sprintf "type %Lx is used as an enum and is not one" id)

let type_name env id =
  let h = home env id in
  prefix env h ^ h.flat

(* A function on a type: a short name here, the module's in another file. *)
let call env id here there =
  let h = home env id in
  if h.file = env.file then here h.flat
  else sprintf "%s%s.%s" (prefix env h) (String.concat "." h.path) there

let reader env id = call env id (fun f -> "read_" ^ f) "of_reader"
let sizer env id = call env id (fun f -> "size_" ^ f) "size"
let writer env id = call env id (fun f -> "write_" ^ f) "unsafe_put"
let has_list env id = Hashtbl.mem env.listed id
let list_function env verb id = verb ^ (home env id).flat
let of_int env id = call env id (fun f -> f ^ "_of_int") "of_int"
let to_int env id = call env id (fun f -> f ^ "_to_int") "to_int"

let layout env id =
  match (Names.node env.model id).body with
  | Struct_node l -> l
  | _ -> failwith (sprintf "type %Lx is used as a struct and is not one" id)

let rec element env : ty -> string = function
  | Void -> "unit"
  | Bool -> "bool"
  | Int8 | Int16 | Int32 | Uint8 | Uint16 | Uint32 -> "int"
  | Int64 | Uint64 -> "int64"
  | Float32 | Float64 -> "float"
  | Text | Data -> "string"
  (* Their lists would take many times the message's room: a count, bits, bytes. *)
  | List Void -> "int"
  | List Bool -> "Capnp.Bits.t"
  | List (Int8 | Uint8) -> "string"
  | List t -> element env t ^ " list"
  | Enum id | Struct id -> type_name env id
  | Interface _ -> "int option"
  | Any -> "Capnp.Any.detached"

let of_field env f =
  match f.kind with
  | Group id -> type_name env id
  | Slot { ty = Struct id; _ } -> type_name env id ^ " option"
  | Slot { ty; _ } -> element env ty

(* What stands for an element's type in [Items.t]. *)
let rec phantom env : ty -> string = function
  | Void -> "[ `Void ]"
  | Bool -> "[ `Bool ]"
  | Int8 -> "[ `Int8 ]"
  | Int16 -> "[ `Int16 ]"
  | Int32 -> "[ `Int32 ]"
  | Int64 -> "[ `Int64 ]"
  | Uint8 -> "[ `Uint8 ]"
  | Uint16 -> "[ `Uint16 ]"
  | Uint32 -> "[ `Uint32 ]"
  | Uint64 -> "[ `Uint64 ]"
  | Float32 -> "[ `Float32 ]"
  | Float64 -> "[ `Float64 ]"
  | Text -> "[ `Text ]"
  | Data -> "[ `Data ]"
  | List t -> sprintf "%s Capnp.Items.t" (phantom env t)
  | Enum id | Struct id -> type_name env id
  | Interface _ -> "[ `Capability ]"
  | Any -> "[ `Any ]"

let is_void f = match f.kind with Slot { ty = Void; _ } -> true | _ -> false
let plain l = List.filter (fun f -> f.tag = None && not (is_void f)) l.fields
let members l = List.filter (fun f -> f.tag <> None) l.fields
let only_union l = members l <> [] && plain l = []

(* Fields with the labels, or the members with the constructors, that they get. *)
let labelled ?(taken = []) fields =
  let names =
    Names.distinct
      (fun ~taken:t s -> Names.value ~taken:(taken @ t) s)
      (List.map (fun f -> f.name) fields)
  in
  List.map2 (fun f (_, n) -> (f, n)) fields names

let constructors fields =
  let name ~taken s = Names.capital ~taken:("Unrecognized" :: taken) s in
  List.map2
    (fun f (_, n) -> (f, n))
    fields
    (Names.distinct name (List.map (fun f -> f.name) fields))

let which_label l = Names.free (List.map snd (labelled (plain l))) "which"
let doc = Names.doc

let variant env indent l =
  String.concat ""
    (List.map
       (fun (f, c) ->
         let arg = if is_void f then "" else " of " ^ of_field env f in
         sprintf "%s| %s%s\n%s" indent c arg (doc (indent ^ "    ") f.doc))
       (constructors (members l)))
  ^ sprintf "%s| Unrecognized of int\n" indent

let no_docs l = { l with fields = List.map (fun f -> { f with doc = "" }) l.fields }
let is_unit l = plain l = [] && members l = []

let struct_body env indent ~which l =
  if is_unit l then "unit\n"
  else if only_union l then "\n" ^ variant env indent l
  else
    let fields =
      List.map
        (fun (f, label) ->
          sprintf "%s%s : %s;\n%s" indent label (of_field env f) (doc (indent ^ "    ") f.doc))
        (labelled (plain l))
    in
    let union =
      if members l = [] then "" else sprintf "%s%s : %s;\n" indent (which_label l) which
    in
    sprintf "{\n%s%s%s}\n" (String.concat "" fields) union
      (String.sub indent 2 (String.length indent - 2))

let enum_body indent names =
  String.concat ""
    (List.map
       (fun (_, c) -> sprintf "%s| %s\n" indent c)
       (Names.distinct
          (fun ~taken s -> Names.capital ~taken:("Unrecognized" :: taken) s)
          (List.map fst names)))
  ^ sprintf "%s| Unrecognized of int\n" indent

let rec flat env (tree : Names.tree) : string list =
  let h = tree.here in
  let own =
    match tree.node.body with
    | Struct_node l ->
        let which = h.flat ^ "_which" in
        let body = struct_body env "  " ~which (no_docs l) in
        sprintf "%s = %s" h.flat body
        ::
        (if members l <> [] && not (only_union l) then
           [ sprintf "%s =\n%s" which (variant env "  " (no_docs l)) ]
         else [])
    | Enum_node names -> [ sprintf "%s =\n%s" h.flat (enum_body "  " names) ]
    | _ -> []
  in
  own @ List.concat_map (flat env) tree.kids

let all env trees =
  match List.concat_map (flat env) trees with
  | [] -> ""
  | l -> "type " ^ String.concat "and " (List.map (fun s -> s ^ "\n") l)
