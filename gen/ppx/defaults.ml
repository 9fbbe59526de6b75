open Ppxlib
open Model
module B = Ast_builder.Default

let rec is_constant e =
  match e.pexp_desc with
  | Pexp_constant _ | Pexp_construct (_, None) | Pexp_variant (_, None) -> true
  | Pexp_construct (_, Some e) | Pexp_variant (_, Some e) -> is_constant e
  | Pexp_tuple l -> List.for_all is_constant l
  | _ -> false

let first_constant d =
  match d.shape with
  | Cases (first :: _) -> first
  | Cases [] | Fields _ -> invalid_arg "Defaults.first_constant"

let in_order values =
  List.sort
    (fun (f, _) (g, _) -> Int.compare (int_of_string f.label) (int_of_string g.label))
    values
  |> List.map snd

let labelled loc values = List.map (fun (f, e) -> ({ txt = Lident f.label; loc }, e)) values

let construct loc case values =
  let argument =
    match (case.content, values) with
    | Constant, _ -> None
    | One _, (_, e) :: _ -> Some e
    | One _, [] -> invalid_arg "Defaults.construct"
    | Many _, values when case.labels -> Some (B.pexp_record ~loc (labelled loc values) None)
    | Many _, values -> Some (B.pexp_tuple ~loc (in_order values))
  in
  if case.poly then B.pexp_variant ~loc case.constructor argument
  else B.pexp_construct ~loc { txt = Lident case.constructor; loc } argument

let build loc form values =
  match (form, values) with
  | Record, _ -> B.pexp_record ~loc (labelled loc values) None
  | Tuple, _ -> B.pexp_tuple ~loc (in_order values)
  | Alias, (_, e) :: _ -> e
  | Alias, [] -> invalid_arg "Defaults.build"
  | Payload case, _ -> construct loc case values

let zero c loc f =
  match (f.count, f.default, f.ty) with
  | Optional, _, _ -> [%expr None]
  | List, _, _ -> [%expr []]
  | Array, _, _ -> [%expr [||]]
  | Required, Some e, _ -> e
  | Required, None, Message m -> Code.default c loc m
  | Required, None, Enum (Own_enum id) ->
      construct loc (first_constant (Model.find (Code.group c) id)) []
  | Required, None, Enum (Other_enum lid) ->
      [%expr Weir_protobuf.Unsafe.Derived.first [%e B.pexp_ident ~loc { txt = lid; loc }]]
  | Required, None, Scalar (s, _) -> (
      match s with
      | Bool -> [%expr false]
      | Int -> [%expr 0]
      | Int32 -> [%expr 0l]
      | Int64 -> [%expr 0L]
      | Uint32 -> [%expr Uint32.of_int32 0l]
      | Uint64 -> [%expr Uint64.of_int64 0L]
      | Float -> [%expr 0.]
      | String -> [%expr ""]
      | Bytes -> [%expr Stdlib.Bytes.empty])

(* The types of this group that a field's default must make first. *)
let rec needed = function
  | Var _ -> []
  | Own (id, args) -> id :: List.concat_map needed args
  | Other (_, args) -> List.concat_map needed args

let needs f =
  match (f.count, f.default, f.ty) with
  | Required, None, Message m -> needed m
  | Required, None, (Scalar _ | Enum _) | Required, Some _, _ | (Optional | List | Array), _, _ ->
      []

(* Round by round, the types whose default needs only those already found;
   with each variant, the constructor that it takes. *)
let grounded group =
  let found = Hashtbl.create 16 in
  let ready id = Hashtbl.mem found id in
  let fields_ready fields = List.for_all (fun f -> List.for_all ready (needs f)) fields in
  let case_ready case =
    match case.content with
    | Constant -> true
    | One f -> fields_ready [ f ]
    | Many (_, fields) -> fields_ready fields
  in
  let try_def d =
    match d.shape with
    | Fields (_, fields) -> if fields_ready fields then Hashtbl.replace found d.id None
    | Cases cases ->
        Option.iter
          (fun case -> Hashtbl.replace found d.id (Some case))
          (List.find_opt case_ready cases)
  in
  let rec rounds () =
    let before = Hashtbl.length found in
    List.iter (fun d -> if not (ready d.id) then try_def d) group.defs;
    if Hashtbl.length found > before then rounds ()
  in
  rounds ();
  found

let value c found d =
  let loc = Code.loc d in
  let zeros fields = List.map (fun f -> (f, zero c loc f)) fields in
  match (d.shape, Hashtbl.find_opt found d.id) with
  | Fields (form, fields), Some _ -> build loc form (zeros fields)
  | Cases _, Some (Some case) -> (
      match case.content with
      | Constant -> construct loc case []
      | One f -> construct loc case (zeros [ f ])
      | Many (_, fields) -> construct loc case (zeros fields))
  | (Fields _ | Cases _), (None | Some None) ->
      Attrs.error ~loc:d.def_loc
        "no value of type %a is finite: each needs another, with no option, list or constructor to \
         end it"
        Pprintast.core_type d.core_type

let bindings c =
  let found = grounded (Code.group c) in
  List.map
    (fun d ->
      let loc = Code.loc d in
      Code.binding d ("default_" ^ d.id)
        [ [%type: Stdlib.Unit.t] ]
        d.core_type [ "_unit" ] (value c found d))
    (Code.group c).defs
