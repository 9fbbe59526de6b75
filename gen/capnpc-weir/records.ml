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

let variant_size env flat_type l =
  let arm (f, c) =
    let room = if is_void f then None else Fields.size env f "x" in
    Option.map (sprintf "  | %s x -> %s\n" c) room
  in
  match List.filter_map arm (constructors (members l)) with
  | [] -> sprintf "size_%s (_ : %s) = 0\n" flat_type flat_type
  | arms ->
      sprintf "size_%s (v : %s) =\n  match v with\n%s  | _ -> 0\n" flat_type flat_type
        (String.concat "" arms)

let variant_write env flat_type l =
  let tag n =
    Fields.Unit (sprintf "Capnp.Put.uint16 buf %s %s" (Fields.byte (2 * l.tag_offset)) n)
  in
  let arm (f, c) =
    let value = if is_void f then [] else [ Fields.write env l f "x" ] in
    sprintf "  | %s%s ->\n      %s\n" c
      (if is_void f then "" else " x")
      (Fields.sequence "      " (tag (string_of_int (Option.get f.tag)) :: value))
  in
  sprintf "write_%s buf at (v : %s) next =\n  match v with\n%s  | Unrecognized n ->\n      %s\n"
    flat_type flat_type
    (String.concat "" (List.map arm (constructors (members l))))
    (Fields.sequence "      " [ tag "n" ])

(* How far the texts' pointers and the data reach, if there is enough to look once for all. *)
let reach l f =
  match List.filter_map (fun x -> match x.kind with Slot s -> f s.ty s.offset | _ -> None) l with
  | _ :: _ :: _ as ends -> List.fold_left Int.max 0 ends
  | _ -> 0

let text_end ty offset = if ty = Text then Some (offset + 1) else None

let data_end ty offset =
  match Access.width ty with
  | 0 -> None
  | 1 -> Some ((offset / 8) + 1)
  | width -> Some ((offset + 1) * width / 8)

let record_read env flat l =
  let texts = reach (plain l) text_end and data = reach (plain l) data_end in
  let field (f, label) =
    let e = Access.record_read ~texts_placed:(texts > 0) ~data_placed:(data > 0) env f in
    sprintf "    %s = %s;\n" label (if String.starts_with ~prefix:"if " e then "(" ^ e ^ ")" else e)
  in
  let union =
    if members l = [] then "" else sprintf "    %s = read_%s_which m r;\n" (which_label l) flat
  in
  let place name expression n =
    if n = 0 then "" else sprintf "  let %s = Capnp.Reader.%s %d in\n" name expression n
  in
  sprintf "read_%s m (r : %s Capnp.Reader.t) : %s =\n%s%s  {\n%s%s  }\n" flat flat flat
    (place "d" "data_of m r" data) (place "p" "pointers_of r" texts)
    (String.concat "" (List.map field (labelled (plain l))))
    union

let record_size env flat l =
  let field (f, label) = Fields.size env f (sprintf "v.%s" label) in
  let fields = List.filter_map field (labelled (plain l)) in
  let union =
    if members l = [] then [] else [ sprintf "size_%s_which v.%s" flat (which_label l) ]
  in
  match fields @ union with
  | [] -> sprintf "size_%s (_ : %s) = 0\n" flat flat
  | terms -> sprintf "size_%s (v : %s) =\n  %s\n" flat flat (String.concat "\n  + " terms)

let record_write env flat l =
  let field (f, label) = Fields.write env l f (sprintf "v.%s" label) in
  let union =
    if members l = [] then []
    else [ Fields.Next (sprintf "write_%s_which buf at v.%s next" flat (which_label l)) ]
  in
  sprintf "write_%s buf at (v : %s) next =\n  %s\n" flat flat
    (Fields.sequence "  " (List.map field (labelled (plain l)) @ union))

let struct_ env flat l =
  if is_unit l then
    [
      sprintf "read_%s _ (_ : %s Capnp.Reader.t) : %s = ()\n" flat flat flat;
      sprintf "size_%s () = 0\n" flat;
      sprintf "write_%s _ _ () next = next\n" flat;
    ]
  else if only_union l then
    [ variant_read env flat flat l; variant_size env flat l; variant_write env flat l ]
  else
    [ record_read env flat l; record_size env flat l; record_write env flat l ]
    @
    if members l = [] then []
    else
      let which = flat ^ "_which" in
      [ variant_read env flat which l; variant_size env which l; variant_write env which l ]

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
