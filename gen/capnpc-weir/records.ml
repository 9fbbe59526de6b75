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
    \  Capnp.Reader.spend m r %d;\n\
    \  match Capnp.Reader.uint16 m r %d with\n\
     %s  | n -> Unrecognized n\n"
    result flat result
    (List.fold_left (fun n f -> Int.max n (Access.memory [ f ])) 2 (members l))
    (2 * l.tag_offset)
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

let variant_write env flat_type ~first l =
  let tag n =
    Fields.Unit (sprintf "Capnp.Unsafe.Put.uint16 buf %s %s" (Fields.byte (2 * l.tag_offset)) n)
  in
  let arm (f, c) =
    let value = if is_void f then [] else [ Fields.write env l f "x" ] in
    sprintf "  | %s%s ->\n      %s\n" c
      (if is_void f then "" else " x")
      (Fields.sequence "      " (tag (string_of_int (Option.get f.tag)) :: value))
  in
  let first =
    String.concat ""
      (List.map (function Fields.Unit s -> sprintf "  %s;\n" s | Next _ -> "") first)
  in
  sprintf "write_%s buf at (v : %s) next =\n%s  match v with\n%s  | Unrecognized n ->\n      %s\n"
    flat_type flat_type first
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
    if n = 0 then "" else sprintf "  let %s = Capnp.Reader.Unsafe.%s %d in\n" name expression n
  in
  sprintf
    "read_%s m (r : %s Capnp.Reader.t) : %s =\n  Capnp.Reader.spend m r %d;\n%s%s  {\n%s%s  }\n"
    flat flat flat
    (Access.memory ~more:(if members l = [] then 0 else 1) (plain l))
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

(* {2 Writers}

   A struct's own writer writes every word of it; a group's is called after it, and leaves what is
   not the group's. *)

let scalars l =
  List.filter_map
    (fun f ->
      match f.kind with
      | Slot { ty; offset; _ } when Access.width ty > 0 -> Some (ty, offset)
      | _ -> None)
    (plain l)

(* Whether no byte of a word of data is left to groups, unions or nobody. *)
let covered l word =
  let covers byte (ty, offset) =
    let bits = Access.width ty in
    let first = offset * bits / 8 in
    first <= byte && byte <= (((offset + 1) * bits) - 1) / 8
  in
  List.for_all
    (fun i -> List.exists (covers ((8 * word) + i)) (scalars l))
    [ 0; 1; 2; 3; 4; 5; 6; 7 ]

let pointed l i =
  List.exists
    (fun f -> match f.kind with Slot s -> Access.is_pointer s.ty && s.offset = i | _ -> false)
    (plain l)

(* The words that no field is sure to write, a store for each of a few. *)
let zeroes (l : layout) =
  let bare w = if w < l.data then not (covered l w) else not (pointed l (w - l.data)) in
  let rec runs w =
    if w >= l.data + l.pointers then []
    else if not (bare w) then runs (w + 1)
    else
      let rec stop w = if w < l.data + l.pointers && bare w then stop (w + 1) else w in
      let n = stop w - w in
      (w, n) :: runs (w + n)
  in
  List.concat_map
    (fun (w, n) ->
      if n > 4 then
        [ Fields.Unit (sprintf "Capnp.Unsafe.Put.zero buf %s %d" (Fields.byte (8 * w)) n) ]
      else
        List.init n (fun i ->
            Fields.Unit (sprintf "Capnp.Unsafe.Put.int64 buf %s 0L" (Fields.byte (8 * (w + i))))))
    (runs 0)

(* Booleans, a byte of them at once. *)
let is_bool f = match f.kind with Slot { ty = Bool; _ } -> true | _ -> false

let flags l =
  let bits =
    List.filter_map
      (fun (f, label) ->
        match f.kind with
        | Slot { ty = Bool; offset; default; _ } ->
            let v = if default = Number 1L then sprintf "(not v.%s)" label else "v." ^ label in
            Some (offset / 8, sprintf "Capnp.Unsafe.Put.bit %s %d" v (offset mod 8))
        | _ -> None)
      (labelled (plain l))
  in
  List.map
    (fun byte ->
      let set = List.filter_map (fun (b, e) -> if b = byte then Some e else None) bits in
      Fields.Unit
        (sprintf "Capnp.Unsafe.Put.uint8 buf %s (%s)" (Fields.byte byte) (String.concat " lor " set)))
    (List.sort_uniq Int.compare (List.map fst bits))

let record_write env flat l ~group =
  let field (f, label) = Fields.write env l f (sprintf "v.%s" label) in
  let own = if group then [] else zeroes l @ flags l in
  let rest = List.filter (fun (f, _) -> group || not (is_bool f)) (labelled (plain l)) in
  let union =
    if members l = [] then []
    else [ Fields.Next (sprintf "write_%s_which buf at v.%s next" flat (which_label l)) ]
  in
  sprintf "write_%s buf at (v : %s) next =\n  %s\n" flat flat
    (Fields.sequence "  " (own @ List.map field rest @ union))

(* {2 Lists} *)

let lists flat l =
  let own = 8 * (l.data + l.pointers) in
  [
    sprintf
      "list_%s m (l : %s Capnp.Items.t) =\n\
      \  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_%s m l\n\
      \  else\n\
      \    let r = Capnp.Items.last m l in\n\
      \    gather_%s m r (Capnp.Items.step r) (Capnp.Items.length l) []\n"
      flat flat flat flat;
    sprintf
      "gather_%s m r step n acc =\n\
      \  if n = 0 then acc\n\
      \  else\n\
      \    let v = read_%s m r in\n\
      \    gather_%s m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)\n"
      flat flat flat;
    sprintf
      "put_%s buf at l next =\n\
      \  match l with\n\
      \  | [] -> Capnp.Unsafe.Put.null buf at next\n\
      \  | l ->\n\
      \      let n = Capnp.Size.length l in\n\
      \      fill_%s buf (next + 8) l (Capnp.Unsafe.Put.start_structs n %d %d buf at next)\n"
      flat flat l.data l.pointers;
    sprintf
      "fill_%s buf at l next =\n\
      \  match l with\n\
      \  | [] -> next\n\
      \  | (v : %s) :: rest -> fill_%s buf (at + %d) rest (write_%s buf at v next)\n"
      flat flat flat own flat;
  ]
  @
  if l.pointers = 0 then []
  else
    [
      sprintf "room_%s l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_%s 8 l)\n" flat
        flat;
      sprintf
        "sum_%s total l =\n\
        \  match l with\n\
        \  | [] -> total\n\
        \  | (v : %s) :: rest -> sum_%s (total + %d + size_%s v) rest\n"
        flat flat flat own flat;
    ]

let struct_ env id flat l =
  let group = Hashtbl.mem env.groups id in
  let first = if group then [] else zeroes l in
  (if is_unit l then
     [
       sprintf "read_%s _ (_ : %s Capnp.Reader.t) : %s = ()\n" flat flat flat;
       sprintf "size_%s () = 0\n" flat;
       sprintf "write_%s buf at () next =\n  %s\n" flat (Fields.sequence "  " first);
     ]
   else if only_union l then
     [ variant_read env flat flat l; variant_size env flat l; variant_write env flat ~first l ]
   else
     [ record_read env flat l; record_size env flat l; record_write env flat l ~group ]
     @
     if members l = [] then []
     else
       let which = flat ^ "_which" in
       [
         variant_read env flat which l;
         variant_size env which l;
         variant_write env which ~first:[] l;
       ])
  @ if has_list env id then lists flat l else []

let rec walk f (tree : Names.tree) = f tree @ List.concat_map (walk f) tree.kids

let all env trees =
  let enums =
    List.concat_map
      (walk (fun t -> match t.node.body with Enum_node names -> [ enum t names ] | _ -> []))
      trees
  in
  let functions =
    List.concat_map
      (walk (fun t ->
           match t.node.body with Struct_node l -> struct_ env t.node.id t.here.flat l | _ -> []))
      trees
  in
  let functions =
    if functions = [] then "" else "let rec " ^ String.concat "\nand " functions ^ "\n"
  in
  String.concat "" enums ^ functions
