open Idl
open Program
open Emit
open Printf

(* The structs that carry the arguments and results of calls. *)
let of_function service (f : func) =
  let optional (x : field) = { x with requiredness = Optional } in
  let success =
    match f.result with
    | None -> []
    | Some ty ->
        [ { id = 0; requiredness = Optional; ty; name = "success"; default = None; doc = "" } ]
  in
  let make name fields = { name; doc = ""; body = Fields (Struct, fields) } in
  make (Names.arguments service f) f.arguments
  ::
  (if f.oneway then [] else [ make (Names.result service f) (success @ List.map optional f.throws) ])

let with_calls (idl : Idl.t) =
  List.concat_map
    (fun d ->
      match d.body with Service (_, l) -> d :: List.concat_map (of_function d.name) l | _ -> [ d ])
    idl.definitions

let field_type t f = ocaml t f.ty ^ if is_option t f then " option" else ""

let body t indent ~docs d =
  let doc text = if docs then Naming.doc (indent ^ "  ") text else "" in
  let lines f l = String.concat "" (List.map f l) in
  match d.body with
  | Typedef ty -> Some (" " ^ ocaml t ty ^ "\n")
  | Enum l ->
      let cons = capitals (List.map (fun (n, _, _) -> n) l) in
      Some
        ("\n"
        ^ lines (fun (c, (_, _, d)) -> sprintf "%s| %s\n%s" indent c (doc d)) (List.combine cons l)
        ^ sprintf "%s| Unrecognized of int\n" indent)
  | Fields (Union, l) ->
      Some
        ("\n"
        ^ lines
            (fun ((f : field), c) -> sprintf "%s| %s of %s\n%s" indent c (ocaml t f.ty) (doc f.doc))
            (members l)
        ^ sprintf "%s| Unrecognized of int\n" indent)
  | Fields (_, []) -> Some " unit\n"
  | Fields (_, l) ->
      Some
        (" {\n"
        ^ lines
            (fun (f, label) -> sprintf "%s%s : %s;\n%s" indent label (field_type t f) (doc f.doc))
            (labels l)
        ^ sprintf "%s}\n" (String.sub indent 2 (String.length indent - 2)))
  | Const _ | Service _ -> None

let types t =
  let one d =
    Option.map (fun b -> sprintf "%s =%s" (flat t d.name) b) (body t "  " ~docs:false d)
  in
  match List.filter_map one (with_calls t.idl) with
  | [] -> ""
  | l -> "type " ^ String.concat "\nand " l ^ "\n"

let enum t d l =
  let name = flat t d.name in
  let cons = List.combine (capitals (List.map (fun (n, _, _) -> n) l)) l in
  let arms f = String.concat "" (List.map (fun (c, (_, v, _)) -> f c v) cons) in
  sprintf "let %s_of_int : int -> %s = function\n%s  | n -> Unrecognized n\n\n" name name
    (arms (fun c v -> sprintf "  | %d -> %s\n" v c))
  ^ sprintf "let %s_to_int : %s -> int = function\n%s  | Unrecognized n -> n\n\n" name name
      (arms (fun c v -> sprintf "  | %s -> %d\n" c v))
  ^ sprintf
      "let read_%s r =\n\
      \  match %s_of_int (Thrift.Reader.i32 r) with\n\
      \  | Unrecognized _ as v -> Thrift.Reader.spend r 2; v\n\
      \  | v -> v\n"
      name name
  ^ sprintf "let write_%s w v = Thrift.Writer.i32 w (%s_to_int v)\n\n" name name

let header f t =
  let n = (f.id lsl 4) lor kind_number t f.ty in
  if n < 0 then sprintf "(%d)" n else sprintf "0x%x" n

let read_field t (f : field) =
  if is_bool t f.ty then "Thrift.Reader.bool_field r" else read ~from:t t f.ty

(* The words of a value beside its field, but for what its reader counts. *)
let boxed t ty =
  match snd (resolve t ty) with I64 -> 3 | Double | String -> 2 | Uuid -> 4 | _ -> 0

let loop arms =
  sprintf
    "  let header = ref (Thrift.Reader.field r 0) in\n\
    \  while !header <> 0 do\n\
    \    (match !header with\n\
     %s    | h -> Thrift.Reader.skip_field r h);\n\
    \    header := Thrift.Reader.field r (!header asr 4)\n\
    \  done;\n\
    \  Thrift.Reader.leave r;\n"
    arms

let read_struct t name l =
  let var label = label ^ "'" in
  let named = labels l in
  let start ((f : field), label) =
    let initial = if f.requiredness = Required then none t else Constants.initial ~from:t t f in
    let initial = if String.contains initial ' ' then "(" ^ initial ^ ")" else initial in
    sprintf "  let %s = ref %s in\n" (var label) initial
  in
  let arm ((f : field), label) =
    let v = read_field t f in
    let boxed = boxed t f.ty in
    let v =
      if f.requiredness = Required || is_option t f then
        sprintf "Thrift.Reader.some r %d (%s)" (2 + boxed) v
      else v
    in
    sprintf "    | %s -> %s := %s\n" (header f t) (var label) v
  in
  let final ((f : field), label) =
    if f.requiredness = Required then
      sprintf "    %s = Thrift.Reader.required r %S !%s;\n" label f.name (var label)
    else sprintf "    %s = !%s;\n" label (var label)
  in
  let all f = String.concat "" (List.map f named) in
  let result = if l = [] then "  ()\n" else sprintf "  {\n%s  }\n" (all final) in
  (* Of fields that need not be there the value is counted when it comes. *)
  let present (f : field) =
    if f.requiredness = Required || is_option t f then 0 else boxed t f.ty
  in
  let words = List.fold_left (fun n f -> n + 1 + Constants.words t f + present f) 1 l in
  sprintf "read_%s r : %s =\n  Thrift.Reader.start r %d;\n%s%s%s" name name words (all start)
    (loop (all arm))
    result

let number n = if n < 0 then sprintf "(%d)" n else string_of_int n

(* The header of a field that follows field [last], and the statement of its value; a boolean is in
   the header itself. *)
let write_header t (f : field) last v =
  if is_bool t f.ty then sprintf "Thrift.Writer.bool_field w %s %s %s" last (number f.id) v
  else sprintf "Thrift.Writer.field w %s %s %s" last (number f.id) (kind t f.ty)

let write_value t (f : field) v = if is_bool t f.ty then None else Some (write ~from:t t f.ty v)

let write_struct t name l =
  let one (f, label) =
    let v = "v." ^ label in
    if is_option t f then
      let header = write_header t f "last" "x" in
      sprintf "  let last =\n    match v.%s with\n    | %s -> last\n" label (none t)
      ^ (match write_value t f "x" with
        | None -> sprintf "    | %s x -> %s\n" (some t) header
        | Some value ->
            sprintf "    | %s x ->\n        let last = %s in\n        %s;\n        last\n" (some t)
              header value)
      ^ "  in\n"
    else
      sprintf "  let last = %s in\n" (write_header t f "last" v)
      ^ match write_value t f v with None -> "" | Some value -> sprintf "  %s;\n" value
  in
  sprintf "write_%s w (v : %s) =\n  let last = 0 in\n%s  ignore last;\n  Thrift.Writer.stop w\n"
    name name
    (String.concat ""
       (List.map one (labels (List.sort (fun (a : field) b -> compare a.id b.id) l))))

let read_union t name l =
  let arm ((f : field), c) =
    sprintf "    | %s -> Thrift.Reader.spend r %d; v' := (%s (%s) : %s)\n" (header f t)
      (2 + boxed t f.ty)
      c (read_field t f) name
  in
  sprintf
    "read_%s r : %s =\n  Thrift.Reader.enter r;\n  let v' = ref (Unrecognized 0 : %s) in\n%s  !v'\n"
    name name name
    (loop (String.concat "" (List.map arm (members l))))

let write_union t name l =
  let arm ((f : field), c) =
    let header = write_header t f "0" "x" in
    match write_value t f "x" with
    | None -> sprintf "  | %s x -> ignore (%s)\n" c header
    | Some value -> sprintf "  | %s x ->\n      ignore (%s);\n      %s\n" c header value
  in
  sprintf
    "write_%s w (v : %s) =\n  (match v with\n%s  | Unrecognized _ -> ());\n  Thrift.Writer.stop w\n"
    name name
    (String.concat "" (List.map arm (members l)))

let functions t =
  let all = with_calls t.idl in
  let enums = List.map (fun d -> match d.body with Enum l -> enum t d l | _ -> "") all in
  let one d =
    match d.body with
    | Fields (shape, l) ->
        let name = flat t d.name in
        if shape = Union then [ read_union t name l; write_union t name l ]
        else [ read_struct t name l; write_struct t name l ]
    | Typedef _ | Enum _ | Const _ | Service _ -> []
  in
  let consts =
    List.filter_map
      (fun d ->
        match d.body with
        | Const (ty, c) ->
            Some
              (sprintf "let %s : %s = %s\n\n" (Names.constant t.names d.name) (ocaml t ty)
                 (Constants.constant t d.name ty c))
        | _ -> None)
      t.idl.definitions
  in
  let functions = List.concat_map one all in
  String.concat "" enums ^ String.concat "" consts
  ^ if functions = [] then "" else "let rec " ^ String.concat "\nand " functions ^ "\n"
