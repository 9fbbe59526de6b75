open Ppxlib
open Model
module B = Ast_builder.Default

let wire_type = function
  | Scalar (_, (Varint | Zigzag)) | Enum _ -> 0
  | Scalar (_, Bits64) -> 1
  | Scalar (_, Blob) | Message _ -> 2
  | Scalar (_, Bits32) -> 5

let local (f : field) = "f_" ^ f.label
let block f = "b_" ^ f.label

(* -- one value ------------------------------------------------------------- *)

(* An int of the encoding [e], from [v] (what was read) or the bytes at [p]. *)
let as_int loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Derived.int v s p]
  | Zigzag -> [%expr Weir_protobuf.Derived.zigzag v s p]
  | Bits32 -> [%expr Weir_protobuf.Decode.sfixed32 s p]
  | Bits64 | Blob -> [%expr Weir_protobuf.Derived.int_of_int64 p (Weir_protobuf.Decode.fixed64 s p)]

let as_int32 loc e =
  match e with
  | Bits32 -> [%expr Stdlib.Int32.of_int [%e as_int loc e]]
  | Varint | Zigzag | Bits64 | Blob ->
      [%expr Stdlib.Int32.of_int (Weir_protobuf.Derived.in_32 p [%e as_int loc e])]

let as_int64 loc e =
  match e with
  | Varint -> [%expr Weir_protobuf.Decode.int64 s p w]
  | Zigzag -> [%expr Weir_protobuf.Decode.sint64 s p w]
  | Bits32 -> [%expr Stdlib.Int64.of_int (Weir_protobuf.Decode.sfixed32 s p)]
  | Bits64 | Blob -> [%expr Weir_protobuf.Decode.fixed64 s p]

let scalar loc (s : scalar) e =
  match s with
  | Bool -> [%expr Weir_protobuf.Decode.bool v]
  | Int -> as_int loc e
  | Int32 -> as_int32 loc e
  | Uint32 when e = Varint ->
      [%expr
        Uint32.of_int32 (Stdlib.Int32.of_int (Weir_protobuf.Derived.in_u32 p [%e as_int loc e]))]
  | Uint32 -> [%expr Uint32.of_int32 [%e as_int32 loc e]]
  | Int64 -> as_int64 loc e
  | Uint64 -> [%expr Uint64.of_int64 [%e as_int64 loc e]]
  | Float when e = Bits32 -> [%expr Weir_protobuf.Decode.float s p]
  | Float -> [%expr Weir_protobuf.Decode.double s p]
  | String -> [%expr Weir_protobuf.Decode.bytes s from (Weir_protobuf.Decode.value n)]
  | Bytes ->
      [%expr
        Stdlib.Bytes.unsafe_of_string
          (Weir_protobuf.Decode.bytes s from (Weir_protobuf.Decode.value n))]

(* [store] of the value at [p], then [go] of the position behind it. *)
let value c loc ty ~store ~go =
  let fixed size v =
    [%expr
      Weir_protobuf.Decode.need [%e Code.int loc size] p limit;
      [%e store v];
      [%e go [%expr p + [%e Code.int loc size]]]]
  in
  let varint v =
    [%expr
      let v = Weir_protobuf.Decode.varint s p limit in
      [%e store v];
      [%e go [%expr p + Weir_protobuf.Decode.width v]]]
  in
  match ty with
  | Scalar (((Int64 | Uint64) as s), ((Varint | Zigzag) as e)) ->
      [%expr
        let w = Weir_protobuf.Decode.varint_width s p limit in
        [%e store (scalar loc s e)];
        [%e go [%expr p + w]]]
  | Scalar (s, ((Varint | Zigzag) as e)) -> varint (scalar loc s e)
  | Scalar (s, (Bits32 as e)) -> fixed 4 (scalar loc s e)
  | Scalar (s, (Bits64 as e)) -> fixed 8 (scalar loc s e)
  | Enum e -> varint (Code.enum loc e (`Of_int ([%expr p], [%expr Weir_protobuf.Decode.value v])))
  | Scalar (s, (Blob as e)) ->
      [%expr
        let n = Weir_protobuf.Decode.length s p limit in
        let from = p + Weir_protobuf.Decode.width n in
        [%e store (scalar loc s e)];
        [%e go [%expr from + Weir_protobuf.Decode.value n]]]
  | Message m ->
      [%expr
        let n = Weir_protobuf.Decode.length s p limit in
        let from = p + Weir_protobuf.Decode.width n in
        let stop = from + Weir_protobuf.Decode.value n in
        [%e
          store
            (Code.reader c loc m
               [
                 [%expr s]; [%expr from]; [%expr stop]; [%expr Weir_protobuf.Decode.deeper depth p];
               ])];
        [%e go [%expr stop]]]

let go_on loc next = [%expr pos := [%e next]]

(* A packed block read at once, where the runtime has a function for it. *)
let whole_block loc ty =
  match ty with
  | Scalar (Int, Varint) -> Some [%expr Weir_protobuf.Derived.packed_int]
  | Scalar (Int, Bits32) -> Some [%expr Weir_protobuf.Decode.packed_sfixed32]
  | Scalar (Bool, _) -> Some [%expr Weir_protobuf.Decode.packed_bool]
  | Scalar (Int64, Varint) -> Some [%expr Weir_protobuf.Decode.packed_int64]
  | Scalar (Int64, Zigzag) -> Some [%expr Weir_protobuf.Decode.packed_sint64]
  | Scalar (Int64, Bits64) -> Some [%expr Weir_protobuf.Decode.packed_fixed64]
  | Scalar (Float, Bits32) -> Some [%expr Weir_protobuf.Decode.packed_float]
  | Scalar (Float, _) -> Some [%expr Weir_protobuf.Decode.packed_double]
  | Scalar _ | Enum _ | Message _ -> None

let has_block f =
  (match f.count with List | Array -> true | Required | Optional -> false)
  && whole_block f.loc f.ty <> None

(* -- fields ---------------------------------------------------------------- *)

(* How a field's local says that the field was not there. *)
type absence = Never | Bit of int | None_

let simple_zero c f =
  match f.ty with
  | Scalar ((Uint32 | Uint64), _) | Message _ | Enum (Other_enum _) -> None
  | Scalar _ | Enum (Own_enum _) -> Some (Defaults.zero c f.loc { f with default = None })

let absence c fields =
  let next = ref 0 in
  List.map
    (fun f ->
      match (f.count, f.default) with
      | (Optional | List | Array), _ -> (f, Never)
      | Required, Some e when Defaults.is_constant e -> (f, Never)
      | Required, Some _ -> (f, None_)
      | Required, None when simple_zero c f = None -> (f, None_)
      | Required, None ->
          let bit = !next in
          incr next;
          (f, Bit bit))
    fields

let bits_a_word = 60
let seen_word bit = Printf.sprintf "seen%d" (bit / bits_a_word)

let let_ref loc name e body =
  [%expr
    let [%p Code.pvar loc name] = ref [%e e] in
    [%e body]]

let with_local c (f, absence) body =
  let loc = f.loc in
  match (f.count, absence) with
  | (List | Array), _ ->
      let body = if has_block f then let_ref loc (block f) [%expr []] body else body in
      let_ref loc (local f) [%expr []] body
  | Optional, _ | Required, None_ -> let_ref loc (local f) [%expr None] body
  | Required, (Never | Bit _) ->
      let start = match f.default with Some e -> e | None -> Option.get (simple_zero c f) in
      let_ref loc (local f) start body

let stored (f, absence) v =
  let loc = f.loc in
  let name = Code.evar loc (local f) in
  match (f.count, absence) with
  | (List | Array), _ when has_block f ->
      let b = Code.evar loc (block f) in
      [%expr
        [%e name] := [%e v] :: Stdlib.List.rev_append ![%e b] ![%e name];
        [%e b] := []]
  | (List | Array), _ -> [%expr [%e name] := [%e v] :: ![%e name]]
  | Optional, _ | Required, None_ -> [%expr [%e name] := Some [%e v]]
  | Required, Never -> [%expr [%e name] := [%e v]]
  | Required, Bit bit ->
      let word = Code.evar loc (seen_word bit) in
      [%expr
        [%e name] := [%e v];
        [%e word] := ![%e word] lor [%e Code.int loc (1 lsl (bit mod bits_a_word))]]

let arm loc tag rhs = B.case ~lhs:(B.pint ~loc tag) ~guard:None ~rhs

(* Numbers are taken packed whether or not they are written so. *)
let packed_arm c ((f, _) as field) ~before =
  let loc = f.loc in
  let body =
    match whole_block loc f.ty with
    | Some read ->
        let name = Code.evar loc (local f) and b = Code.evar loc (block f) in
        [%expr
          [%e name] := Stdlib.List.rev_append ![%e b] ![%e name];
          [%e b] := [%e read] s from stop]
    | None ->
        [%expr
          let at = ref from and limit = stop in
          while !at < limit do
            let p = !at in
            [%e value c loc f.ty ~store:(stored field) ~go:(fun next -> [%expr at := [%e next]])]
          done]
  in
  arm loc
    ((f.key lsl 3) lor 2)
    [%expr
      let n = Weir_protobuf.Decode.length s p limit in
      let from = p + Weir_protobuf.Decode.width n in
      let stop = from + Weir_protobuf.Decode.value n in
      [%e
        before
          [%expr
            [%e body];
            pos := stop]]]

let field_arms ?(before = Fun.id) c ((f, _) as field) =
  let loc = f.loc in
  let wire = wire_type f.ty in
  let own =
    arm loc
      ((f.key lsl 3) lor wire)
      (before (value c loc f.ty ~store:(stored field) ~go:(go_on loc)))
  in
  match f.count with
  | (List | Array) when wire <> 2 -> [ own; packed_arm c field ~before ]
  | Required | Optional | List | Array -> [ own ]

(* Any other tag: a field that is known came in another wire type, or it is
   not known and is skipped. *)
let last_arm loc names =
  let known =
    List.map
      (fun (key, name) ->
        arm loc key
          [%expr Weir_protobuf.Derived.wrong_wire start [%e Code.str loc name] (tag land 7)])
      names
  in
  let skip =
    B.case
      ~lhs:[%pat? _]
      ~guard:None
      ~rhs:[%expr pos := Weir_protobuf.Decode.skip s tag p limit depth]
  in
  B.case ~lhs:[%pat? tag] ~guard:None ~rhs:(B.pexp_match ~loc [%expr tag lsr 3] (known @ [ skip ]))

let loop loc arms ~names finish =
  [%expr
    let pos = ref pos in
    while !pos < limit do
      let start = !pos in
      let tag = Weir_protobuf.Decode.tag s start limit in
      let p = start + Weir_protobuf.Decode.width tag in
      [%e B.pexp_match ~loc [%expr Weir_protobuf.Decode.value tag] (arms @ [ last_arm loc names ])]
    done;
    [%e finish]]

let result ~within (f, absence) =
  let loc = f.loc in
  let name = Code.evar loc (local f) in
  let all =
    if has_block f then
      [%expr Weir_protobuf.Decode.joined [] ![%e name] ![%e Code.evar loc (block f)]]
    else [%expr Weir_protobuf.Decode.in_order [] ![%e name]]
  in
  match (f.count, absence) with
  | List, _ -> all
  | Array, _ -> [%expr Stdlib.Array.of_list [%e all]]
  | Optional, _ | Required, (Never | Bit _) -> [%expr ![%e name]]
  | Required, None_ ->
      let absent =
        match f.default with
        | Some e -> e
        | None ->
            [%expr Weir_protobuf.Derived.missing limit [%e Code.str loc (within ^ "." ^ f.name)]]
      in
      [%expr match ![%e name] with Some v -> v | None -> [%e absent]]

let rec words = function
  | [] -> []
  | fields ->
      let rec split n = function
        | f :: rest when n > 0 ->
            let first, last = split (n - 1) rest in
            (f :: first, last)
        | rest -> ([], rest)
      in
      let first, rest = split bits_a_word fields in
      first :: words rest

let counted fields =
  words (List.filter (fun (_, absence) -> match absence with Bit _ -> true | _ -> false) fields)

let checked loc ~within fields body =
  List.mapi
    (fun i fields ->
      let all = (1 lsl List.length fields) - 1 in
      let names =
        B.elist ~loc (List.map (fun (f, _) -> Code.str loc (within ^ "." ^ f.name)) fields)
      in
      let word = Code.evar loc (Printf.sprintf "seen%d" i) and all = Code.int loc all in
      [%expr
        if not (![%e word] land [%e all] = [%e all]) then
          Weir_protobuf.Decode.missing limit [%e names] ![%e word]])
    (counted fields)
  |> fun checks ->
  List.fold_right
    (fun check e ->
      [%expr
        [%e check];
        [%e e]])
    checks body

let fields_reader c loc ~within form fields =
  let fields = absence c fields in
  let finish =
    checked loc ~within fields
      (Defaults.build loc form (List.map (fun f -> (fst f, result ~within f)) fields))
  in
  let names = List.map (fun (f, _) -> (f.key, f.name)) fields in
  let body = loop loc (List.concat_map (field_arms c) fields) ~names finish in
  let body = List.fold_right (with_local c) fields body in
  List.fold_right
    (fun i body -> let_ref loc (Printf.sprintf "seen%d" i) [%expr 0] body)
    (List.mapi (fun i _ -> i) (counted fields))
    body
