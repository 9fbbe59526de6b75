open Model
open Types
open Printf

let enum (tree : Names.tree) names =
  let flat = tree.here.flat in
  let cons =
    Names.distinct
      (fun ~taken s -> Names.capital ~taken:("Unrecognized" :: taken) s)
      (List.map fst names)
  in
  let arms f = String.concat "" (List.mapi f cons) in
  sprintf "let %s_of_int : int -> %s = function\n%s  | n -> Unrecognized n\n\n" flat flat
    (arms (fun i (_, c) -> sprintf "  | %d -> %s\n" i c))
  ^ sprintf "let %s_to_int : %s -> int = function\n%s  | Unrecognized n -> n\n\n" flat flat
      (arms (fun i (_, c) -> sprintf "  | %s -> %d\n" c i))

let variant_read env flat result l =
  let arm (f, c) =
    let tag = Option.get f.tag in
    if is_void f then sprintf "  | %d -> %s\n" tag c
    else sprintf "  | %d -> %s (%s)\n" tag c (Access.record_read env f)
  in
  sprintf
    "read_%s m (r : %s Capnp.Reader.t) : %s =\n\
    \  match Capnp.Reader.uint16 m r %d with\n\
     %s  | n -> Unrecognized n\n"
    result flat result (2 * l.tag_offset)
    (String.concat "" (List.map arm (constructors (members l))))

let variant_write env flat result l =
  let at = 2 * l.tag_offset in
  let arm (f, c) =
    let tag = Option.get f.tag in
    if is_void f then sprintf "  | %s -> Capnp.Builder.set_uint16 b h %d %d\n" c at tag
    else
      sprintf "  | %s x ->\n      Capnp.Builder.set_uint16 b h %d %d;\n      %s\n" c at tag
        (Access.record_write env f "x")
  in
  sprintf
    "write_%s b (h : %s Capnp.Builder.struct_) (v : %s) =\n\
    \  match v with\n\
     %s  | Unrecognized n -> Capnp.Builder.set_uint16 b h %d n\n"
    result flat result
    (String.concat "" (List.map arm (constructors (members l))))
    at

let record_read env flat l =
  let fields =
    List.map
      (fun (f, label) ->
        sprintf "    %s = %s;\n" label
          (let e = Access.record_read env f in
           if String.length e > 2 && String.sub e 0 3 = "if " then "(" ^ e ^ ")" else e))
      (labelled (plain l))
  in
  let union =
    if members l = [] then "" else sprintf "    %s = read_%s_which m r;\n" (which_label l) flat
  in
  sprintf "read_%s m (r : %s Capnp.Reader.t) : %s =\n  {\n%s%s  }\n" flat flat flat
    (String.concat "" fields) union

let record_write env flat l =
  let fields =
    List.map
      (fun (f, label) -> Access.record_write env f (sprintf "v.%s" label))
      (labelled (plain l))
  in
  let union =
    if members l = [] then [] else [ sprintf "write_%s_which b h v.%s" flat (which_label l) ]
  in
  sprintf "write_%s b (h : %s Capnp.Builder.struct_) (v : %s) =\n  %s\n" flat flat flat
    (String.concat ";\n  " (fields @ union))

let struct_ env flat l =
  if plain l = [] && members l = [] then
    [
      sprintf "read_%s _ (_ : %s Capnp.Reader.t) : %s = ()\n" flat flat flat;
      sprintf "write_%s _ (_ : %s Capnp.Builder.struct_) () = ()\n" flat flat;
    ]
  else if only_union l then [ variant_read env flat flat l; variant_write env flat flat l ]
  else
    [ record_read env flat l; record_write env flat l ]
    @
    if members l = [] then []
    else [ variant_read env flat (flat ^ "_which") l; variant_write env flat (flat ^ "_which") l ]

let rec walk f (tree : Names.tree) = f tree @ List.concat_map (walk f) tree.kids

let all env trees =
  let enums =
    List.concat_map
      (walk (fun t -> match t.node.body with Enum_node names -> [ enum t names ] | _ -> []))
      trees
  in
  let functions =
    List.concat_map
      (walk (fun t -> match t.node.body with Struct_node l -> struct_ env t.here.flat l | _ -> []))
      trees
  in
  let functions =
    if functions = [] then "" else "let rec " ^ String.concat "\nand " functions ^ "\n"
  in
  String.concat "" enums ^ functions
