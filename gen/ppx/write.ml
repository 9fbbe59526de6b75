open Ppxlib
open Model
open Write_value
open Write_fields
module B = Ast_builder.Default

(* How a field is got at, and what is to be taken apart first. *)
let access d form fields body =
  let loc = Code.loc d in
  let name f = Code.evar loc ("a_" ^ f.label) in
  match form with
  | Record -> body (fun f -> B.pexp_field ~loc [%expr m] { txt = Lident f.label; loc })
  | Alias -> body (fun _ -> [%expr m])
  | Payload _ -> body name
  | Tuple ->
      let parts =
        List.sort (fun f g -> Int.compare (int_of_string f.label) (int_of_string g.label)) fields
        |> List.map (fun f -> Code.pvar loc ("a_" ^ f.label))
      in
      [%expr
        let [%p B.ppat_tuple ~loc parts] = m in
        [%e body name]]

(* From field to field goes the sum so far; what is always the same begins it. *)
let fields_size c d form fields =
  let loc = Code.loc d in
  let fixed, others =
    List.partition_map
      (fun f -> match always_fixed c f with Some n -> Left n | None -> Right f)
      fields
  in
  access d form fields (fun get ->
      let all =
        List.fold_left (fun sum f ->
            [%expr
              let sum = [%e sum] in
              [%e add_field c d f ~sum:[%expr sum] (get f)]])
      in
      all (Code.int loc (List.fold_left ( + ) 0 fixed)) others)

(* The last field first. *)
let fields_put c d form fields =
  let loc = Code.loc d in
  access d form fields (fun get ->
      List.fold_left
        (fun e f ->
          [%expr
            let pos = [%e field_put c d f (get f)] in
            [%e e]])
        [%expr pos] fields)

let pattern loc case =
  let var f = Code.pvar loc ("a_" ^ f.label) in
  let argument =
    match case.content with
    | Constant -> None
    | One f -> Some (var f)
    | Many (_, fields) when case.labels ->
        Some
          (B.ppat_record ~loc
             (List.map (fun f -> ({ txt = Lident f.label; loc }, var f)) fields)
             Closed)
    | Many (_, fields) ->
        let fields =
          List.sort (fun f g -> Int.compare (int_of_string f.label) (int_of_string g.label)) fields
        in
        Some (B.ppat_tuple ~loc (List.map var fields))
  in
  if case.poly then B.ppat_variant ~loc case.constructor argument
  else B.ppat_construct ~loc { txt = Lident case.constructor; loc } argument

let on_cases d cases body =
  let loc = Code.loc d in
  B.pexp_match ~loc [%expr m]
    (List.map (fun case -> B.case ~lhs:(pattern loc case) ~guard:None ~rhs:(body case)) cases)

let payload_arguments loc fields = List.map (fun f -> Code.evar loc ("a_" ^ f.label)) fields
let key_size loc key = Code.int loc (1 + List.length (varint_bytes key))

let payload_call verb loc d id args =
  Code.apply loc
    (Code.evar loc (verb ^ "_" ^ id))
    (List.map (Code.evar loc) (Code.parameters d) @ args)

let cases_size c d cases =
  let loc = Code.loc d in
  on_cases d cases (fun case ->
      let tag = key_size loc case.case_key in
      match case.content with
      | Constant -> tag
      | One f -> add_field c d f ~sum:tag (Code.evar loc ("a_" ^ f.label))
      | Many (id, fields) ->
          let size = payload_call "size" loc d id (payload_arguments loc fields) in
          let own = Code.int loc (List.length (varint_bytes ((case.case_key + 1) lsl 3))) in
          [%expr [%e tag] + [%e own] + Weir_protobuf.Unsafe.Encode.size_block [%e size]])

let cases_put c d cases =
  let loc = Code.loc d in
  on_cases d cases (fun case ->
      let payload =
        match case.content with
        | Constant -> [%expr pos]
        | One f -> field_put c d f (Code.evar loc ("a_" ^ f.label))
        | Many (id, fields) ->
            put_block loc (case.case_key + 1)
              (payload_call "write" loc d id
                 ([%expr b] :: [%expr pos] :: payload_arguments loc fields))
      in
      [%expr
        let pos = [%e payload] in
        let pos = Weir_protobuf.Unsafe.Encode.varint b pos [%e Code.int loc case.case_key] in
        Weir_protobuf.Unsafe.Encode.byte b pos 8])

let of_def c d =
  let loc = Code.loc d in
  let args = Code.argument_types d and names = Code.argument_names d in
  let size, put, fields =
    match d.shape with
    | Fields (form, fields) -> (fields_size c d form fields, fields_put c d form fields, fields)
    | Cases cases ->
        ( cases_size c d cases,
          cases_put c d cases,
          List.filter_map (fun k -> match k.content with One f -> Some f | _ -> None) cases )
  in
  loops c d fields
  @ [
      Code.binding d ("size_" ^ d.id) args [%type: Stdlib.Int.t] names size;
      Code.binding d ("write_" ^ d.id)
        ([%type: Stdlib.Bytes.t] :: [%type: Stdlib.Int.t] :: args)
        [%type: Stdlib.Int.t] ("b" :: "pos" :: names) put;
    ]

let bindings c = List.concat_map (of_def c) (Code.group c).defs
