open Ppxlib
open Model
open Value_types
open Fields

let error = Attrs.error

let record c labels =
  List.map
    (fun l ->
      field c ~name:l.pld_name.txt ~label:l.pld_name.txt ~key:None ~count:Required
        (l.pld_attributes @ l.pld_type.ptyp_attributes)
        l.pld_type)
    labels
  |> distinct

let constructor c self d =
  (match (d.pcd_res, d.pcd_vars) with
  | None, [] -> ()
  | _ -> error ~loc:d.pcd_loc "a generalised constructor has no protobuf mapping");
  let key = case_key d.pcd_attributes d.pcd_loc d.pcd_name.txt in
  let case =
    {
      constructor = d.pcd_name.txt;
      poly = false;
      labels = false;
      case_key = key;
      content = Constant;
      case_loc = d.pcd_loc;
    }
  in
  match d.pcd_args with
  | Pcstr_tuple [] -> case
  | Pcstr_tuple [ { ptyp_desc = Ptyp_tuple parts; ptyp_attributes = []; _ } ] ->
      payload c case self parts
  | Pcstr_tuple [ t ] -> { case with content = one_payload c key case.constructor t }
  | Pcstr_tuple parts -> payload c case self parts
  | Pcstr_record labels ->
      let within = inner c case.constructor in
      finish_payload c within { case with labels = true } self (record within labels)

let parameters d =
  List.mapi
    (fun i (t, _) -> match t.ptyp_desc with Ptyp_var v -> v | _ -> Printf.sprintf "weir_%d" i)
    d.ptype_params

let declares_enum d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_variant cs, _ -> List.for_all (fun c -> c.pcd_args = Pcstr_tuple []) cs
  | Ptype_abstract, Some { ptyp_desc = Ptyp_variant (rows, Closed, _); _ } -> rows_are_enum rows
  | _ -> false

let shape c self d =
  match (d.ptype_kind, d.ptype_manifest) with
  | Ptype_record labels, _ -> Fields (Record, record c labels)
  | Ptype_variant [], _ -> error ~loc:d.ptype_loc "an empty variant has no values"
  | Ptype_variant constructors, _ ->
      Cases (distinct_cases (List.map (constructor c self) constructors))
  | Ptype_open, _ -> error ~loc:d.ptype_loc "an extensible type has no protobuf mapping"
  | Ptype_abstract, None -> error ~loc:d.ptype_loc "an abstract type has no protobuf mapping"
  | Ptype_abstract, Some { ptyp_desc = Ptyp_tuple parts; _ } -> Fields (Tuple, tuple c parts)
  | Ptype_abstract, Some ({ ptyp_desc = Ptyp_variant (rows, closed, _); _ } as t) ->
      Cases (cases c ~poly:true self (plain_rows t rows closed))
  | Ptype_abstract, Some t ->
      Fields
        ( Alias,
          [ field c ~name:"_" ~label:"value" ~key:(Some 1) ~count:Required t.ptyp_attributes t ] )

let declaration ~path ~own ~hidden made d =
  if d.ptype_cstrs <> [] then
    error ~loc:d.ptype_loc "a type with constraints has no protobuf mapping";
  let id = d.ptype_name.txt in
  let full = if path = "" then id else path ^ "." ^ id in
  let vars = parameters d in
  let c = { own; hidden; made; id; full = dotted full; vars; place } in
  let loc = { d.ptype_loc with loc_ghost = true } in
  let self =
    Ast_builder.Default.(ptyp_constr ~loc { txt = Lident id; loc } (List.map (ptyp_var ~loc) vars))
  in
  let shape = shape c self d in
  made :=
    {
      id;
      full_name = c.full;
      params = vars;
      core_type = self;
      shape;
      written = true;
      def_loc = d.ptype_loc;
    }
    :: !made

let group ~path rec_flag declarations =
  let own =
    match rec_flag with
    | Nonrecursive -> []
    | Recursive -> List.map (fun d -> (d.ptype_name.txt, declares_enum d)) declarations
  in
  let made = ref [] in
  List.iter (declaration ~path ~own ~hidden:(rec_flag = Nonrecursive) made) declarations;
  { defs = List.rev !made; path }
