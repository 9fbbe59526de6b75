open Ppxlib
open Model
module B = Ast_builder.Default

(* Instances of the group's parameterised types that one description may
   hold: a type that uses itself at ever larger types has no end of them. *)
let most_instances = 32

let camel name =
  let b = Buffer.create 16 in
  let up = ref false in
  String.iter
    (fun c ->
      if c = '_' then up := true
      else (
        Buffer.add_char b (if !up then Char.uppercase_ascii c else c);
        up := false))
    name;
  Buffer.contents b

let plain name =
  String.map
    (fun c -> match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> c | _ -> '_')
    name

(* -- enums ----------------------------------------------------------------- *)

let tag_name case = plain case.constructor ^ "_tag"

let enum_item d cases =
  let loc = Code.loc d in
  let taken = Hashtbl.create 8 in
  let values =
    List.map
      (fun case ->
        let name = tag_name case in
        let name =
          if Hashtbl.mem taken name then Printf.sprintf "%s_%d" name case.case_key else name
        in
        Hashtbl.add taken name ();
        [%expr [%e Code.str loc name], [%e Code.int loc case.case_key]])
      cases
  in
  [%stri
    let [%p Code.pvar loc ("enum_" ^ d.id)] : Weir_protobuf.Descriptor.enum =
      {
        enum_name = [%e Code.str loc (d.full_name ^ "._tag")];
        values = [%e B.elist ~loc values];
        closed = true;
      }]

(* -- fields ---------------------------------------------------------------- *)

let rec substitute env = function
  | Var v -> ( match List.assoc_opt v env with Some m -> m | None -> Var v)
  | Own (id, args) -> Own (id, List.map (substitute env) args)
  | Other (lid, args) -> Other (lid, List.map (substitute env) args)

let rec names_own = function
  | Var _ -> false
  | Own _ -> true
  | Other (_, args) -> List.exists names_own args

(* One set of descriptors that may refer to each other. *)
type scope = {
  code : Code.t;
  mutable nodes : (string * (message * string)) list;
  mutable todo : message list;
}

let rec full_name c loc m =
  let applied name args =
    if args = [] then Code.str loc name
    else
      [%expr
        Weir_protobuf.Unsafe.Derived.applied [%e Code.str loc name]
          [%e B.elist ~loc (List.map (full_name c loc) args)]]
  in
  match m with
  | Own (id, args) -> applied (Model.find (Code.group c) id).full_name args
  | Other (lid, args) when names_own m -> applied (plain (Longident.name lid)) args
  | Var _ | Other _ ->
      [%expr
        (Weir_protobuf.Codec.descriptor [%e Code.codec c loc m]).Weir_protobuf.Descriptor.full_name]

let node scope m =
  let key = Code.key_of m in
  match List.assoc_opt key scope.nodes with
  | Some (_, name) -> Some name
  | None
    when List.length scope.nodes >= most_instances
         && match m with Own (_, []) -> false | _ -> true ->
      None
  | None ->
      let name =
        match m with
        | Own (id, []) -> "desc_" ^ id
        | _ -> Printf.sprintf "desc__%d" (List.length scope.nodes)
      in
      scope.nodes <- (key, (m, name)) :: scope.nodes;
      scope.todo <- m :: scope.todo;
      Some name

let message scope loc m =
  let endless () = [%expr Weir_protobuf.Unsafe.Derived.endless [%e full_name scope.code loc m]] in
  match m with
  | Own _ -> ( match node scope m with Some name -> Code.evar loc name | None -> endless ())
  | Other _ when names_own m ->
      Code.stand_in scope.code m (full_name scope.code loc m);
      endless ()
  | Var _ | Other _ -> [%expr Weir_protobuf.Codec.descriptor [%e Code.codec scope.code loc m]]

let scalar_kind (s : scalar) e =
  match (s, e) with
  | Bool, _ -> "Bool"
  | Float, Bits32 -> "Float"
  | Float, _ -> "Double"
  | String, _ -> "Raw_string"
  | Bytes, _ -> "Bytes"
  | Int32, Varint -> "Int32"
  | Uint32, Varint -> "Uint32"
  | (Int32 | Uint32), Zigzag -> "Sint32"
  | Uint32, Bits32 -> "Fixed32"
  | (Int | Int64), Varint -> "Int64"
  | Uint64, Varint -> "Uint64"
  | (Int | Int64 | Uint64), Zigzag -> "Sint64"
  | Uint64, Bits64 -> "Fixed64"
  | (Int | Int32 | Int64 | Uint64), Bits32 -> "Sfixed32"
  | (Int | Int32 | Uint32 | Int64), (Bits64 | Blob) | Uint64, Blob -> "Sfixed64"

let kind scope loc env ty =
  let constructor name arg =
    B.pexp_construct ~loc
      { txt = Ldot (Ldot (Lident "Weir_protobuf", "Descriptor"), name); loc }
      arg
  in
  match ty with
  | Scalar (s, e) -> constructor (scalar_kind s e) None
  | Enum (Own_enum id) -> constructor "Enum" (Some (Code.evar loc ("enum_" ^ id)))
  | Enum (Other_enum lid) ->
      let e = B.pexp_ident ~loc { txt = lid; loc } in
      constructor "Enum" (Some [%expr [%e e].Weir_protobuf.Unsafe.Derived.descriptor])
  | Message m -> constructor "Message" (Some (message scope loc (substitute env m)))

(* The words of a value beside a text's own; what stdint makes has a signed number on its way. *)
let boxed = function
  | Scalar ((Bool | Int | String | Bytes), _) | Enum _ | Message _ -> 0
  | Scalar (Float, _) -> 2
  | Scalar ((Int32 | Int64), _) -> 3
  | Scalar ((Uint32 | Uint64), _) -> 6

let field_record loc ~number ~name ~kind ~boxed ~label ~oneof =
  let label =
    B.pexp_construct ~loc
      { txt = Ldot (Ldot (Lident "Weir_protobuf", "Descriptor"), label); loc }
      None
  in
  [%expr
    {
      Weir_protobuf.Descriptor.number = [%e Code.int loc number];
      name = [%e Code.str loc name];
      json_name = [%e Code.str loc (camel name)];
      kind = [%e kind];
      label = [%e label];
      oneof = [%e Code.str loc oneof];
      form = Boxed [%e Code.int loc boxed];
    }]

let label f =
  match (f.count, f.default) with
  | Required, None -> "Required"
  | Required, Some _ | Optional, _ -> "Explicit"
  | (List | Array), _ -> if f.packed then "Packed" else "Repeated"

(* At the field's own place: where its type has no codec, the compiler says so
   there. *)
let field scope env ?(payload = false) f name =
  let loc = f.loc in
  let plural = match f.count with List | Array -> true | Required | Optional -> false in
  let label = if payload && not plural then "Explicit" else label f in
  field_record loc ~number:f.key ~name ~kind:(kind scope loc env f.ty) ~boxed:(boxed f.ty) ~label
    ~oneof:(if payload && not plural then "value" else "")

let case_fields scope loc env d cases =
  let taken = Hashtbl.create 8 in
  List.iter (fun n -> Hashtbl.add taken n ()) [ "tag"; "_tag"; "value" ];
  let name case =
    let name = plain case.constructor in
    let name =
      if Hashtbl.mem taken name then Printf.sprintf "%s_%d" name (case.case_key + 1) else name
    in
    Hashtbl.add taken name ();
    name
  in
  let one case =
    match case.content with
    | Constant -> None
    | One f -> Some (f.key, field scope env ~payload:true f (name case))
    | Many (id, _) ->
        let m = Own (id, List.map (fun v -> substitute env (Var v)) d.params) in
        Some
          ( case.case_key + 1,
            field_record loc ~number:(case.case_key + 1) ~name:(name case) ~boxed:0
              ~kind:(kind scope loc [] (Message m)) ~label:"Explicit" ~oneof:"value" )
  in
  let tag =
    field_record loc ~number:1 ~name:"tag"
      ~kind:(kind scope loc env (Enum (Own_enum d.id)))
      ~boxed:0 ~label:"Required" ~oneof:""
  in
  tag
  :: (List.filter_map one cases |> List.sort (fun (a, _) (b, _) -> Int.compare a b) |> List.map snd)

let descriptor scope d args =
  let loc = Code.loc d in
  let env = List.combine d.params args in
  let fields =
    match d.shape with
    | Fields (_, fields) -> List.map (fun f -> field scope env f f.name) fields
    | Cases cases -> case_fields scope loc env d cases
  in
  [%expr
    {
      Weir_protobuf.Descriptor.full_name = [%e full_name scope.code loc (Own (d.id, args))];
      fields = [%e B.elist ~loc fields];
      map_entry = false;
      message_set = false;
      reserved = [];
      extensible = [];
      sliced = false;
      unfolding = Weir_protobuf.Descriptor.Unmeasured;
    }]

(* The descriptors of [roots] and all of the group that they lead to. *)
let scope_bindings c roots =
  let scope = { code = c; nodes = []; todo = [] } in
  let names = List.map (fun m -> Option.get (node scope m)) roots in
  let rec go made =
    match scope.todo with
    | [] -> List.rev made
    | m :: rest -> (
        scope.todo <- rest;
        match m with
        | Own (id, args) ->
            let d = Model.find (Code.group c) id in
            let loc = Code.loc d in
            let name = snd (List.assoc (Code.key_of m) scope.nodes) in
            let binding =
              B.value_binding ~loc ~pat:(Code.pvar loc name) ~expr:(descriptor scope d args)
            in
            go (binding :: made)
        | Var _ | Other _ -> go made)
  in
  let made = go [] in
  (names, made)

let parameterised c d =
  let loc = Code.loc d in
  let names, bindings = scope_bindings c [ Own (d.id, List.map (fun v -> Var v) d.params) ] in
  let body = B.pexp_let ~loc Recursive bindings (Code.evar loc (List.hd names)) in
  [%stri let [%p Code.pvar loc ("desc_" ^ d.id)] = [%e Code.lambda loc (Code.parameters d) body]]

let items c =
  let defs = (Code.group c).defs in
  let enums =
    List.filter_map
      (fun d -> match d.shape with Cases cases -> Some (enum_item d cases) | Fields _ -> None)
      defs
  in
  let plain, with_params = List.partition (fun d -> d.params = []) defs in
  let values =
    if plain = [] then []
    else
      let _, bindings = scope_bindings c (List.map (fun d -> Own (d.id, [])) plain) in
      Order.items ~large:(fun _ -> false) bindings
  in
  enums @ values @ List.map (parameterised c) with_params
