open Ppxlib
open Model
module B = Ast_builder.Default

type t = {
  group : group;
  mutable hoisted : (string * (string * expression)) list;
  mutable lazies : (string * (string * expression)) list;
  mutable wanted : string list;
  mutable stand_ins : (string * (expression * message)) list;
}

let make group = { group; hoisted = []; lazies = []; wanted = []; stand_ins = [] }
let group c = c.group
let loc d = { d.def_loc with loc_ghost = true }
let evar loc name = B.pexp_ident ~loc { txt = Lident name; loc }
let pvar loc name = B.ppat_var ~loc { txt = name; loc }
let int loc n = B.eint ~loc n
let str loc s = B.estring ~loc s
let apply loc f = function [] -> f | args -> B.eapply ~loc f args

let lambda loc names body =
  List.fold_right (fun name e -> B.pexp_fun ~loc Nolabel None (pvar loc name) e) names body

let parameters d = List.map (fun v -> "c_" ^ v) d.params
let own loc verb d = apply loc (evar loc (verb ^ "_" ^ d.id)) (List.map (evar loc) (parameters d))

let rec closed = function
  | Var _ -> false
  | Own (_, args) | Other (_, args) -> List.for_all closed args

let rec of_elsewhere = function
  | Var _ | Own _ -> false
  | Other (_, args) -> List.for_all of_elsewhere args

let rec key_of = function
  | Var v -> "'" ^ v
  | Own (id, args) -> id ^ arguments args
  | Other (lid, args) -> "." ^ Longident.name lid ^ arguments args

and arguments = function [] -> "" | l -> "(" ^ String.concat "," (List.map key_of l) ^ ")"

let rec codec c loc m =
  match m with
  | Var v -> evar loc ("c_" ^ v)
  | Other (lid, []) -> B.pexp_ident ~loc { txt = lid; loc }
  | Other (lid, args) ->
      let build () =
        apply loc (B.pexp_ident ~loc { txt = lid; loc }) (List.map (codec c loc) args)
      in
      if of_elsewhere m then evar loc (hoist c m build) else once c loc m build
  | Own (id, args) ->
      if not (List.mem id c.wanted) then c.wanted <- id :: c.wanted;
      let build () =
        let f = evar loc ("codec_" ^ id) in
        if args = [] then [%expr [%e f] ()] else apply loc f (List.map (codec c loc) args)
      in
      once c loc m build

and hoist c m build =
  let key = key_of m in
  match List.assoc_opt key c.hoisted with
  | Some (name, _) -> name
  | None ->
      let e = build () in
      let name = Printf.sprintf "codec__%d" (List.length c.hoisted) in
      c.hoisted <- (key, (name, e)) :: c.hoisted;
      name

and once c loc m build =
  if not (closed m) then build ()
  else
    let key = key_of m in
    let name =
      match List.assoc_opt key c.lazies with
      | Some (name, _) -> name
      | None ->
          let name = Printf.sprintf "lazy__%d" (List.length c.lazies) in
          c.lazies <- (key, (name, [%expr ()])) :: c.lazies;
          let e = build () in
          c.lazies <- (key, (name, e)) :: List.remove_assoc key c.lazies;
          name
    in
    [%expr Stdlib.Lazy.force [%e evar loc name]]

let stand_in c m name =
  if closed m then c.stand_ins <- (key_of m, (name, m)) :: List.remove_assoc (key_of m) c.stand_ins

let stand_ins c = List.rev_map snd c.stand_ins
let hoisted c = List.rev_map snd c.hoisted
let lazies c = List.rev_map snd c.lazies
let wants_codec c id = List.mem id c.wanted
let call c loc verb id args = apply loc (evar loc (verb ^ "_" ^ id)) (List.map (codec c loc) args)

let reader c loc m args =
  match m with
  | Own (id, l) -> apply loc (call c loc "read" id l) args
  | Var _ | Other _ ->
      [%expr
        let c = Weir_protobuf.Codec.Unsafe.parts [%e codec c loc m] in
        [%e
          apply loc
            [%expr c.Weir_protobuf.Codec.Unsafe.read c.Weir_protobuf.Codec.Unsafe.default]
            args]]

let sizer c loc m v =
  match m with
  | Own (id, l) -> apply loc (call c loc "size" id l) [ v ]
  | Var _ | Other _ -> [%expr Weir_protobuf.Codec.size [%e codec c loc m] [%e v]]

let writer c loc m args =
  match m with
  | Own (id, l) -> apply loc (call c loc "write" id l) args
  | Var _ | Other _ ->
      apply loc
        [%expr
          (Weir_protobuf.Codec.Unsafe.parts [%e codec c loc m]).Weir_protobuf.Codec.Unsafe.write]
        args

let default c loc m =
  match m with
  | Own (id, l) -> apply loc (call c loc "default" id l) [ [%expr ()] ]
  | Var _ | Other _ -> [%expr Weir_protobuf.Codec.default [%e codec c loc m]]

let enum loc e what =
  match (e, what) with
  | Own_enum id, `To_int v -> apply loc (evar loc ("to_int_" ^ id)) [ v ]
  | Own_enum id, `Of_int (p, n) -> apply loc (evar loc ("of_int_" ^ id)) [ p; n ]
  | Other_enum lid, `To_int v ->
      [%expr [%e B.pexp_ident ~loc { txt = lid; loc }].Weir_protobuf.Unsafe.Derived.to_int [%e v]]
  | Other_enum lid, `Of_int (p, n) ->
      [%expr
        [%e B.pexp_ident ~loc { txt = lid; loc }].Weir_protobuf.Unsafe.Derived.of_int [%e p] [%e n]]

let field_type f =
  let loc = f.loc in
  match f.count with
  | Required -> f.core
  | Optional -> [%type: [%t f.core] option]
  | List -> [%type: [%t f.core] list]
  | Array -> [%type: [%t f.core] array]

let argument_types d =
  match d.shape with
  | Fields (Payload _, fields) -> List.map field_type fields
  | Fields ((Record | Tuple | Alias), _) | Cases _ -> [ d.core_type ]

let argument_names d =
  match d.shape with
  | Fields (Payload _, fields) -> List.map (fun f -> "a_" ^ f.label) fields
  | Fields ((Record | Tuple | Alias), _) | Cases _ -> [ "m" ]

let binding d name arguments result names body =
  let loc = loc d in
  let codecs = List.map (fun v -> [%type: [%t B.ptyp_var ~loc v] Weir_protobuf.Codec.t]) d.params in
  let type_ =
    List.fold_right (fun a r -> B.ptyp_arrow ~loc Nolabel a r) (codecs @ arguments) result
  in
  let type_ =
    if d.params = [] then type_
    else B.ptyp_poly ~loc (List.map (fun txt -> { txt; loc }) d.params) type_
  in
  B.value_binding ~loc
    ~pat:(B.ppat_constraint ~loc (pvar loc name) type_)
    ~expr:(lambda loc (parameters d @ names) body)
