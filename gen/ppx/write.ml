open Ppxlib
open Model
module B = Ast_builder.Default

let rec varint_bytes v = if v < 128 then [ v ] else (v land 127 lor 128) :: varint_bytes (v lsr 7)
let tag_size f = List.length (varint_bytes (f.key lsl 3))

(* The tag, backwards, ends the writing of a field. *)
let put_tag loc key wire =
  let tag = (key lsl 3) lor wire in
  match varint_bytes tag with
  | [ a ] -> [%expr Weir_protobuf.Encode.byte b pos [%e Code.int loc a]]
  | [ a; z ] ->
      [%expr
        Weir_protobuf.Encode.byte b
          (Weir_protobuf.Encode.byte b pos [%e Code.int loc z])
          [%e Code.int loc a]]
  | _ -> [%expr Weir_protobuf.Encode.varint b pos [%e Code.int loc tag]]

(* -- one value ------------------------------------------------------------- *)

type size = Fixed of int | Varies of expression

let int_of_32 loc v = [%expr Stdlib.Int32.to_int [%e v]]

let int_size loc e v =
  match e with
  | Varint -> Varies [%expr Weir_protobuf.Derived.size_int [%e v]]
  | Zigzag -> Varies [%expr Weir_protobuf.Derived.size_zigzag [%e v]]
  | Bits32 -> Fixed 4
  | Bits64 | Blob -> Fixed 8

let int64_size loc e v =
  match e with
  | Varint -> Varies [%expr Weir_protobuf.Encode.size_int64 [%e v]]
  | Zigzag -> Varies [%expr Weir_protobuf.Encode.size_sint64 [%e v]]
  | Bits32 -> Fixed 4
  | Bits64 | Blob -> Fixed 8

let scalar_size loc (s : scalar) e v =
  match s with
  | Bool -> Fixed 1
  | Int -> int_size loc e v
  | Int32 -> int_size loc e (int_of_32 loc v)
  | Uint32 -> int_size loc e (int_of_32 loc [%expr Uint32.to_int32 [%e v]])
  | Int64 -> int64_size loc e v
  | Uint64 -> int64_size loc e [%expr Uint64.to_int64 [%e v]]
  | Float -> Fixed (if e = Bits32 then 4 else 8)
  | String -> Varies [%expr Weir_protobuf.Encode.size_text [%e v]]
  | Bytes -> Varies [%expr Weir_protobuf.Encode.size_text (Stdlib.Bytes.unsafe_to_string [%e v])]

let value_size c loc ty v =
  match ty with
  | Scalar (s, e) -> scalar_size loc s e v
  | Enum e -> Varies [%expr Weir_protobuf.Encode.size_varint [%e Code.enum loc e (`To_int v)]]
  | Message m -> Varies [%expr Weir_protobuf.Encode.size_block [%e Code.sizer c loc m v]]

let with_tag loc f = function
  | Fixed n -> Code.int loc (tag_size f + n)
  | Varies e -> [%expr [%e Code.int loc (tag_size f)] + [%e e]]

let int_put loc e v =
  match e with
  | Varint -> [%expr Weir_protobuf.Encode.int32 b pos [%e v]]
  | Zigzag -> [%expr Weir_protobuf.Derived.put_zigzag b pos [%e v]]
  | Bits32 -> [%expr Weir_protobuf.Encode.sfixed32 b pos [%e v]]
  | Bits64 | Blob -> [%expr Weir_protobuf.Encode.fixed64 b pos (Stdlib.Int64.of_int [%e v])]

let int64_put loc e v =
  match e with
  | Varint -> [%expr Weir_protobuf.Encode.int64 b pos [%e v]]
  | Zigzag -> [%expr Weir_protobuf.Encode.sint64 b pos [%e v]]
  | Bits32 -> [%expr Weir_protobuf.Encode.sfixed32 b pos (Weir_protobuf.Derived.narrow [%e v])]
  | Bits64 | Blob -> [%expr Weir_protobuf.Encode.fixed64 b pos [%e v]]

let scalar_put loc (s : scalar) e v =
  match s with
  | Bool -> [%expr Weir_protobuf.Encode.bool b pos [%e v]]
  | Int -> int_put loc e v
  | Int32 -> int_put loc e (int_of_32 loc v)
  | Uint32 -> int_put loc e (int_of_32 loc [%expr Uint32.to_int32 [%e v]])
  | Int64 -> int64_put loc e v
  | Uint64 -> int64_put loc e [%expr Uint64.to_int64 [%e v]]
  | Float when e = Bits32 -> [%expr Weir_protobuf.Encode.float b pos [%e v]]
  | Float -> [%expr Weir_protobuf.Encode.double b pos [%e v]]
  | String -> [%expr Weir_protobuf.Encode.text b pos [%e v]]
  | Bytes -> [%expr Weir_protobuf.Encode.text b pos (Stdlib.Bytes.unsafe_to_string [%e v])]

(* A length-delimited thing: [body] is written, then its length, then the tag. *)
let put_block loc key body =
  [%expr
    let stop = pos in
    let pos = [%e body] in
    let pos = Weir_protobuf.Encode.varint b pos (stop - pos) in
    [%e put_tag loc key 2]]

let put_bare c loc ty v =
  match ty with
  | Scalar (s, e) -> scalar_put loc s e v
  | Enum e -> [%expr Weir_protobuf.Encode.varint b pos [%e Code.enum loc e (`To_int v)]]
  | Message m -> Code.writer c loc m [ [%expr b]; [%expr pos]; v ]

let put c loc f v =
  match f.ty with
  | Message _ -> put_block loc f.key (put_bare c loc f.ty v)
  | Scalar _ | Enum _ ->
      [%expr
        let pos = [%e put_bare c loc f.ty v] in
        [%e put_tag loc f.key (Read_fields.wire_type f.ty)]]

(* -- lists and arrays: a loop of their own, with no closure to call -------- *)

let loop_name verb d f = Printf.sprintf "%s_%s__%s" verb d.id f.label
let loop_call verb loc d f args =
  Code.apply loc
    (Code.evar loc (loop_name verb d f))
    (List.map (Code.evar loc) (Code.parameters d) @ args)

let plural f = match f.count with List | Array -> true | Required | Optional -> false

(* With its tag, or in a packed block without. *)
let element_size c loc f v =
  let size = value_size c loc f.ty v in
  if not f.packed then with_tag loc f size
  else match size with Fixed n -> Code.int loc n | Varies e -> e

let element_put c loc f v = if f.packed then put_bare c loc f.ty v else put c loc f v

(* The runtime has loops for the commonest of all. *)
let packed_ints f = f.packed && f.count = List && f.ty = Scalar (Int, Varint)

let sizes c d f =
  let loc = f.loc in
  let self args = loop_call "sizes" loc d f args in
  let body =
    match f.count with
    | Array ->
        [%expr
          let sum = ref sum in
          for i = 0 to Stdlib.Array.length l - 1 do
            let v = Stdlib.Array.unsafe_get l i in
            sum := !sum + [%e element_size c loc f [%expr v]]
          done;
          !sum]
    | List | Required | Optional ->
        [%expr
          match l with
          | [] -> sum
          | v :: rest ->
              [%e self [ [%expr sum + [%e element_size c loc f [%expr v]]]; [%expr rest] ]]]
  in
  Code.binding d (loop_name "sizes" d f)
    [ [%type: int]; Code.field_type f ]
    [%type: int] [ "sum"; "l" ] body

let writes c d f =
  let loc = f.loc in
  let self args = loop_call "writes" loc d f args in
  let body =
    match f.count with
    | Array ->
        [%expr
          let at = ref pos in
          for i = Stdlib.Array.length l - 1 downto 0 do
            let pos = !at in
            let v = Stdlib.Array.unsafe_get l i in
            at := [%e element_put c loc f [%expr v]]
          done;
          !at]
    | List | Required | Optional ->
        [%expr
          match l with
          | [] -> pos
          | v :: rest ->
              let pos = [%e self [ [%expr b]; [%expr pos]; [%expr rest] ]] in
              [%e element_put c loc f [%expr v]]]
  in
  Code.binding d (loop_name "writes" d f)
    [ [%type: Stdlib.Bytes.t]; [%type: int]; Code.field_type f ]
    [%type: int] [ "b"; "pos"; "l" ] body

let loops c d fields =
  List.concat_map
    (fun f -> if plural f && not (packed_ints f) then [ sizes c d f; writes c d f ] else [])
    fields

(* -- fields ---------------------------------------------------------------- *)

let is_default loc f v e =
  match f.ty with
  | Scalar (Bool, _) -> (
      match e with
      | [%expr false] -> [%expr not [%e v]]
      | [%expr true] -> v
      | _ -> [%expr Stdlib.Bool.equal [%e v] [%e e]])
  | Scalar (Int, _) -> [%expr [%e v] = [%e e]]
  | Scalar (Int32, _) -> [%expr Stdlib.Int32.equal [%e v] [%e e]]
  | Scalar (Int64, _) -> [%expr Stdlib.Int64.equal [%e v] [%e e]]
  | Scalar (Float, _) -> [%expr Weir_protobuf.Derived.same_float [%e v] [%e e]]
  | Scalar (String, _) -> (
      match e with
      | [%expr ""] -> [%expr Stdlib.String.length [%e v] = 0]
      | _ -> [%expr Stdlib.String.equal [%e v] [%e e]])
  | Scalar (Bytes, _) -> [%expr Stdlib.Bytes.equal [%e v] [%e e]]
  | Scalar ((Uint32 | Uint64), _) | Message _ | Enum _ -> [%expr Stdlib.( = ) [%e v] [%e e]]

let is_empty loc f get =
  if f.count = Array then [%expr Stdlib.Array.length [%e get] = 0]
  else [%expr match [%e get] with [] -> true | _ :: _ -> false]

let packed_size loc d f get =
  if packed_ints f then [%expr Weir_protobuf.Derived.sum_int [%e get]]
  else loop_call "sizes" loc d f [ [%expr 0]; get ]

let packed_put loc d f get =
  if packed_ints f then [%expr Weir_protobuf.Encode.all_int32 b pos [%e get]]
  else loop_call "writes" loc d f [ [%expr b]; [%expr pos]; get ]

let field_size c d f get =
  let loc = f.loc in
  match (f.count, f.default) with
  | (List | Array), _ when f.packed ->
      [%expr
        if [%e is_empty loc f get] then 0
        else
          [%e Code.int loc (tag_size f)]
          + Weir_protobuf.Encode.size_block [%e packed_size loc d f get]]
  | (List | Array), _ -> loop_call "sizes" loc d f [ [%expr 0]; get ]
  | Optional, _ ->
      [%expr
        match [%e get] with
        | None -> 0
        | Some v -> [%e with_tag loc f (value_size c loc f.ty [%expr v])]]
  | Required, None -> with_tag loc f (value_size c loc f.ty get)
  | Required, Some e ->
      [%expr
        if [%e is_default loc f get e] then 0
        else [%e with_tag loc f (value_size c loc f.ty get)]]

let field_put c d f get =
  let loc = f.loc in
  match (f.count, f.default) with
  | (List | Array), _ when f.packed ->
      [%expr
        if [%e is_empty loc f get] then pos
        else [%e put_block loc f.key (packed_put loc d f get)]]
  | (List | Array), _ -> loop_call "writes" loc d f [ [%expr b]; [%expr pos]; get ]
  | Optional, _ ->
      [%expr match [%e get] with None -> pos | Some v -> [%e put c loc f [%expr v]]]
  | Required, None -> put c loc f get
  | Required, Some e ->
      [%expr if [%e is_default loc f get e] then pos else [%e put c loc f get]]

(* -- messages -------------------------------------------------------------- *)

(* How a field is got at, and what is to be taken apart first. *)
let access d form fields body =
  let loc = Code.loc d in
  let name f = Code.evar loc ("a_" ^ f.label) in
  match form with
  | Record ->
      body (fun f -> B.pexp_field ~loc [%expr m] { txt = Lident f.label; loc })
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

let sum loc = function
  | [] -> [%expr 0]
  | first :: rest -> List.fold_left (fun a b -> [%expr [%e a] + [%e b]]) first rest

let fields_size c d form fields =
  access d form fields (fun get -> sum (Code.loc d) (List.map (fun f -> field_size c d f (get f)) fields))

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
        Some (B.ppat_record ~loc (List.map (fun f -> ({ txt = Lident f.label; loc }, var f)) fields) Closed)
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
      | One f -> [%expr [%e tag] + [%e field_size c d f (Code.evar loc ("a_" ^ f.label))]]
      | Many (id, fields) ->
          let size = payload_call "size" loc d id (payload_arguments loc fields) in
          let own = Code.int loc (List.length (varint_bytes ((case.case_key + 1) lsl 3))) in
          [%expr [%e tag] + [%e own] + Weir_protobuf.Encode.size_block [%e size]])

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
        let pos = Weir_protobuf.Encode.varint b pos [%e Code.int loc case.case_key] in
        Weir_protobuf.Encode.byte b pos 8])

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
      Code.binding d ("size_" ^ d.id) args [%type: int] names size;
      Code.binding d ("write_" ^ d.id)
        ([%type: Stdlib.Bytes.t] :: [%type: int] :: args)
        [%type: int]
        ("b" :: "pos" :: names)
        put;
    ]

let bindings c = List.concat_map (of_def c) (Code.group c).defs
