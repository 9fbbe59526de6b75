open Ppxlib
open Model
open Read_value
open Read_fields
module B = Ast_builder.Default

(* A variant's message: [kind] is its tag, [got] the key of the constructor
   whose payload was met, [value] what that made. *)

let plural f = match f.count with List | Array -> true | Required | Optional -> false

(* What [value] holds before there is one: a constructor without arguments, if
   the type has any, saves an option. *)
let idle d =
  match d.shape with
  | Cases cases -> List.find_opt (fun c -> c.content = Constant) cases
  | Fields _ -> None

let start loc d =
  match idle d with Some case -> Defaults.construct loc case [] | None -> [%expr None]

let keep loc d v = if idle d = None then [%expr value := Some [%e v]] else [%expr value := [%e v]]

let kept loc d =
  if idle d <> None then [%expr !value]
  else
    [%expr
      match !value with
      | Some v -> v
      | None ->
          raise
            (Weir_protobuf.Unsafe.Derived.no_constructor limit [%e Code.str loc d.full_name] !kind)]

let mark case e =
  let loc = e.pexp_loc in
  [%expr
    got := Weir_protobuf.Unsafe.Derived.only start !got [%e Code.int loc case.case_key];
    [%e e]]

let own_payload id d = Message (Own (id, List.map (fun v -> Var v) d.params))

let arms_of c d case =
  let loc = { case.case_loc with loc_ghost = true } in
  let tag wire = ((case.case_key + 1) lsl 3) lor wire in
  match case.content with
  | Constant -> []
  | One f when plural f -> field_arms ~before:(mark case) c (f, Never)
  | One f ->
      let store v =
        let v = if f.count = Optional then [%expr Some [%e v]] else v in
        keep loc d (Defaults.construct loc case [ (f, v) ])
      in
      [ arm loc (tag (wire_type f.ty)) (mark case (value c loc f.ty ~store ~go:(go_on loc))) ]
  | Many (id, _) ->
      let read = value c loc (own_payload id d) ~store:(keep loc d) ~go:(go_on loc) in
      [ arm loc (tag 2) (mark case read) ]

let finish_case d case =
  let loc = { case.case_loc with loc_ghost = true } in
  let key = Code.int loc case.case_key in
  let when_ guard rhs = B.case ~lhs:(B.pint ~loc case.case_key) ~guard:(Some guard) ~rhs in
  let none = [%expr !got = 0] and mine = [%expr !got = [%e key]] in
  match case.content with
  | Constant -> [ when_ none (Defaults.construct loc case []) ]
  | One f when plural f ->
      let all = Defaults.construct loc case [ (f, result ~within:d.full_name (f, Never)) ] in
      [ when_ [%expr if [%e none] then true else [%e mine]] all ]
  | One ({ count = Optional; _ } as f) ->
      [ when_ mine (kept loc d); when_ none (Defaults.construct loc case [ (f, [%expr None]) ]) ]
  | One _ | Many _ -> [ when_ mine (kept loc d) ]

let cases_reader c d cases =
  let loc = Code.loc d in
  let tag_arm =
    arm loc 8
      [%expr
        pos := p;
        kind := v]
  in
  let otherwise =
    B.case
      ~lhs:[%pat? key]
      ~guard:None
      ~rhs:
        [%expr
          raise
            (Weir_protobuf.Unsafe.Derived.no_constructor limit [%e Code.str loc d.full_name] key)]
  in
  let finish =
    B.pexp_match ~loc [%expr !kind] (List.concat_map (finish_case d) cases @ [ otherwise ])
  in
  let names =
    (1, "tag")
    :: List.filter_map
         (fun case ->
           if case.content = Constant then None else Some (case.case_key + 1, case.constructor))
         cases
  in
  let body = loop loc (tag_arm :: List.concat_map (arms_of c d) cases) ~names finish in
  let body =
    List.fold_right
      (fun case body ->
        match case.content with
        | One f when plural f -> with_local c (f, Never) body
        | One _ | Many _ | Constant -> body)
      cases body
  in
  let body = if is_enum d then body else let_ref loc "value" (start loc d) body in
  [%expr
    let kind = ref 0 and got = ref 0 in
    [%e body]]

let bindings c =
  List.map
    (fun d ->
      let loc = Code.loc d in
      let body =
        match d.shape with
        | Fields (form, fields) -> Read_record.reader c loc ~within:d.full_name form fields
        | Cases cases -> cases_reader c d cases
      in
      Code.binding d ("read_" ^ d.id)
        [
          [%type: Stdlib.String.t];
          [%type: Stdlib.Int.t];
          [%type: Stdlib.Int.t];
          [%type: Stdlib.Int.t];
        ]
        d.core_type [ "s"; "pos"; "limit"; "depth" ] body)
    (Code.group c).defs

let enum_functions d cases =
  let loc = Code.loc d in
  let of_int =
    List.map (fun c -> arm loc c.case_key (Defaults.construct loc c [])) cases
    @ [
        B.case
          ~lhs:[%pat? _]
          ~guard:None
          ~rhs:
            [%expr
              raise (Weir_protobuf.Unsafe.Derived.no_constructor p [%e Code.str loc d.full_name] n)];
      ]
  in
  let to_int =
    List.map
      (fun c ->
        let lhs =
          if c.poly then B.ppat_variant ~loc c.constructor None
          else B.ppat_construct ~loc { txt = Lident c.constructor; loc } None
        in
        B.case ~lhs ~guard:None ~rhs:(Code.int loc c.case_key))
      cases
  in
  let bind name f type_ =
    B.value_binding ~loc
      ~pat:(Code.pvar loc (name ^ "_" ^ d.id))
      ~expr:(if d.params = [] then B.pexp_constraint ~loc f type_ else f)
  in
  B.pstr_value ~loc Nonrecursive
    [
      bind "of_int"
        [%expr fun p n -> [%e B.pexp_match ~loc [%expr n] of_int]]
        [%type: Stdlib.Int.t -> Stdlib.Int.t -> [%t d.core_type]];
      bind "to_int"
        [%expr fun m -> [%e B.pexp_match ~loc [%expr m] to_int]]
        [%type: [%t d.core_type] -> Stdlib.Int.t];
    ]

let enums c =
  List.filter_map
    (fun d ->
      match d.shape with
      | Cases cases when is_enum d -> Some (enum_functions d cases)
      | Cases _ | Fields _ -> None)
    (Code.group c).defs
