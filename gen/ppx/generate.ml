open Ppxlib
open Model
module B = Ast_builder.Default

(* -- defaults that are computed -------------------------------------------- *)

(* They are the user's code, so they are bound before anything of ours is in
   scope, as functions: absent fields call them. *)
let hoist_defaults group =
  let given = ref [] in
  let field f =
    match f.default with
    | Some e when not (Defaults.is_constant e) ->
        let loc = f.loc in
        let name = Printf.sprintf "given__%d" (List.length !given) in
        given := [%stri let [%p Code.pvar loc name] = fun () -> [%e e]] :: !given;
        { f with default = Some (Code.apply loc (Code.evar loc name) [ [%expr ()] ]) }
    | Some _ | None -> f
  in
  (* Each field once: a payload's stand in the payload's own message too, whose
     shape is what the readers and writers go by. *)
  let shape = function
    | Fields (form, fields) -> Fields (form, List.map field fields)
    | Cases cases -> Cases cases
  in
  let defs = List.map (fun d -> { d with shape = shape d.shape }) group.defs in
  let content = function
    | Many (id, _) -> (
        match (List.find (fun d -> d.id = id) defs).shape with
        | Fields (_, fields) -> Many (id, fields)
        | Cases _ as s -> invalid_arg (match s with _ -> "Generate.hoist_defaults"))
    | (Constant | One _) as c -> c
  in
  let defs =
    List.map
      (fun d ->
        match d.shape with
        | Cases cases ->
            let cases = List.map (fun c -> { c with content = content c.content }) cases in
            { d with shape = Cases cases }
        | Fields _ -> d)
      defs
  in
  (List.rev !given, { group with defs })

(* -- codecs ---------------------------------------------------------------- *)

(* A type without parameters has its functions by name; else they are closures
   over the codecs, made once. *)
let codec_record ?(shared = false) d =
  let loc = Code.loc d in
  let own verb = Code.own loc verb d in
  let record ~desc ~types ~none ~size ~write ~read =
    [%expr
      Weir_protobuf.Codec.Unsafe.make
        {
          descriptor = [%e desc];
          types = [%e types];
          default = [%e none];
          size = [%e size];
          write = [%e write];
          read =
            (fun init s pos limit depth ->
              if Weir_protobuf.Unsafe.Derived.Ops.( == ) init [%e none] then
                [%e read] s pos limit depth
              else
                Weir_protobuf.Unsafe.Derived.merge [%e size] [%e write] [%e read] init s pos limit
                  depth);
          to_json =
            (fun w m -> Weir_protobuf.Unsafe.Derived.to_json [%e desc] [%e size] [%e write] w m);
          of_json = (fun r -> Weir_protobuf.Unsafe.Derived.of_json [%e desc] [%e read] r);
        }]
  in
  if d.params = [] then
    let record =
      record ~desc:(own "desc") ~types:[%expr types] ~size:(own "size") ~write:(own "write")
        ~read:(own "read")
    in
    if shared then record ~none:(own "none")
    else
      [%expr
        let none = [%e own "default"] () in
        [%e record ~none:[%expr none]]]
  else
    [%expr
      let desc = [%e own "desc"] in
      let types = [%e Registries.own_registry d] in
      let none = [%e own "default"] () in
      let size m = [%e own "size"] m in
      let write b pos m = [%e own "write"] b pos m in
      let read s pos limit depth = [%e own "read"] s pos limit depth in
      [%e
        record ~desc:[%expr desc] ~types:[%expr types] ~none:[%expr none] ~size:[%expr size]
          ~write:[%expr write] ~read:[%expr read]]]

let codec_type d =
  let loc = Code.loc d in
  [%type: [%t d.core_type] Weir_protobuf.Codec.t]

let inner_codec d =
  let loc = Code.loc d in
  let name = "codec_" ^ d.id in
  if d.params = [] then
    Code.binding d name [ [%type: Stdlib.Unit.t] ] (codec_type d) [ "_unit" ] (codec_record d)
  else Code.binding d name [] (codec_type d) [] (codec_record d)

let is_payload d = match d.shape with Fields (Payload _, _) -> true | Fields _ | Cases _ -> false

(* With many fields there is nothing to gain by expanding a function in place. *)
let is_large d =
  match d.shape with
  | Fields (_, fields) -> List.length fields > 8
  | Cases cases -> List.length cases > 8

let large c =
  let table = Hashtbl.create 64 in
  List.iter
    (fun d ->
      if is_large d then
        List.iter
          (fun verb -> Hashtbl.replace table (verb ^ d.id) ())
          [ "read_"; "write_"; "size_"; "default_"; "codec_" ])
    (Code.group c).defs;
  Hashtbl.mem table

let functions c =
  let loc = Code.loc (List.hd (Code.group c).defs) in
  let bindings = Defaults.bindings c @ Read.bindings c @ Write.bindings c in
  let meant =
    List.map
      (fun (name, m) -> [%expr [%e name], Weir_protobuf.Codec.descriptor [%e Code.codec c loc m]])
      (Code.stand_ins c)
  in
  let wanted =
    List.filter (fun d -> Code.wants_codec c d.id && not (is_payload d)) (Code.group c).defs
  in
  let lazies =
    List.map
      (fun (name, e) -> B.value_binding ~loc ~pat:(Code.pvar loc name) ~expr:[%expr lazy [%e e]])
      (Code.lazies c)
  in
  let forced =
    List.map
      (fun (name, _) -> [%stri let _ = Stdlib.Lazy.force [%e Code.evar loc name]])
      (Code.lazies c)
  in
  let nones =
    List.filter_map
      (fun d ->
        if d.written && d.params = [] then
          let name = Code.pvar loc ("none_" ^ d.id) in
          Some [%stri let [%p name] = [%e Code.own loc "default" d] ()]
        else None)
      (Code.group c).defs
  in
  Order.items ~large:(large c) (bindings @ List.map inner_codec wanted @ lazies)
  @ forced @ nones
  @
  if meant = [] then []
  else [ [%stri let types = Weir_protobuf.Registry.with_meant types [%e B.elist ~loc meant]] ]

let internals c given =
  let loc = Code.loc (List.hd (Code.group c).defs) in
  let described = Describe.items c in
  let types = Registries.registry c in
  let functions = functions c in
  let hoisted =
    List.map (fun (name, e) -> [%stri let [%p Code.pvar loc name] = [%e e]]) (Code.hoisted c)
  in
  let items =
    ([%stri [@@@ocaml.warning "-a"]] :: given)
    @ ([%stri open! Weir_protobuf.Unsafe.Derived.Ops] :: hoisted)
    @ Read.enums c @ described
    @ ([%stri let types = [%e types]] :: functions)
  in
  B.pstr_open ~loc (B.open_infos ~loc ~override:Fresh ~expr:(B.pmod_structure ~loc items))

(* -- what the user sees ---------------------------------------------------- *)

let name d suffix = Value_types.value_name d.id suffix
let codec_arguments loc params = List.map (fun v -> Code.evar loc ("c_" ^ v)) params

let published ~proto d =
  let loc = Code.loc d in
  let pat suffix = Code.pvar loc (name d suffix) in
  let codec = Code.apply loc (Code.evar loc (name d "protobuf")) (codec_arguments loc d.params) in
  let with_codecs e = Code.lambda loc (Code.parameters d) e in
  let value =
    Code.binding d (name d "protobuf") [] (codec_type d) [] (codec_record ~shared:(d.params = []) d)
  in
  [
    B.pstr_value ~loc Nonrecursive [ value ];
    [%stri
      let [%p pat "to_protobuf"] =
        [%e with_codecs [%expr fun m -> Weir_protobuf.Codec.encode [%e codec] m]]];
    [%stri
      let [%p pat "from_protobuf"] =
        [%e with_codecs [%expr fun s -> Weir_protobuf.Codec.decode [%e codec] s]]];
  ]
  @ (if is_enum d && d.params = [] then
       [
         [%stri
           let [%p pat "protobuf_bare"] : [%t d.core_type] Weir_protobuf.Unsafe.Derived.enum =
             {
               descriptor = [%e Code.evar loc ("enum_" ^ d.id)];
               to_int = [%e Code.evar loc ("to_int_" ^ d.id)];
               of_int = [%e Code.evar loc ("of_int_" ^ d.id)];
             }];
       ]
     else [])
  @
  if proto then
    [
      [%stri
        let [%p pat "proto"] = [%e with_codecs [%expr Weir_protobuf.Proto_file.print [%e codec]]]];
    ]
  else []

let structure ~path ~proto rec_flag declarations =
  let given, group = hoist_defaults (Declarations.group ~path rec_flag declarations) in
  let c = Code.make group in
  internals c given
  :: List.concat_map (published ~proto) (List.filter (fun d -> d.written) group.defs)

let signature ~proto declarations =
  List.concat_map
    (fun d ->
      let loc = { d.ptype_loc with loc_ghost = true } in
      let vars = Declarations.parameters d in
      let id = d.ptype_name.txt in
      let self = B.ptyp_constr ~loc { txt = Lident id; loc } (List.map (B.ptyp_var ~loc) vars) in
      let value suffix type_ =
        let type_ =
          List.fold_right
            (fun v t -> [%type: [%t B.ptyp_var ~loc v] Weir_protobuf.Codec.t -> [%t t]])
            vars type_
        in
        B.psig_value ~loc
          (B.value_description ~loc ~prim:[]
             ~name:{ txt = Value_types.value_name id suffix; loc }
             ~type_)
      in
      [
        value "protobuf" [%type: [%t self] Weir_protobuf.Codec.t];
        value "to_protobuf" [%type: [%t self] -> Stdlib.String.t];
        value "from_protobuf"
          [%type: Stdlib.String.t -> ([%t self], Weir_protobuf.Error.t) Stdlib.result];
      ]
      @ (if Declarations.declares_enum d && vars = [] then
           [ value "protobuf_bare" [%type: [%t self] Weir_protobuf.Unsafe.Derived.enum] ]
         else [])
      @ if proto then [ value "proto" [%type: Stdlib.String.t] ] else [])
    declarations
