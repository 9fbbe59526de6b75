open Ppxlib
open Model
open Read_value
module B = Ast_builder.Default

let local (f : field) = "f_" ^ f.label
let block f = "b_" ^ f.label

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

let own_tag f = (f.key lsl 3) lor wire_type f.ty
let packed_tag f = (f.key lsl 3) lor 2
let arm loc tag rhs = B.case ~lhs:(B.pint ~loc tag) ~guard:None ~rhs

(* Numbers are taken packed whether or not they are written so. *)
let packed_body c ((f, _) as field) ~before =
  let loc = f.loc in
  let body =
    match whole_block loc f.ty with
    | Some read when not (has_block f) ->
        let name = Code.evar loc (local f) in
        [%expr [%e name] := Stdlib.List.rev_append ([%e read] s p stop) ![%e name]]
    | Some read ->
        let name = Code.evar loc (local f) and b = Code.evar loc (block f) in
        [%expr
          [%e name] := Stdlib.List.rev_append ![%e b] ![%e name];
          [%e b] := [%e read] s p stop]
    | None ->
        let one =
          value c loc f.ty ~store:(stored field) ~go:(fun next -> [%expr at := [%e next]])
        in
        let one =
          if wire_type f.ty <> 0 then one
          else
            [%expr
              let n = Weir_protobuf.Unsafe.Decode.varint s from limit in
              let v = Weir_protobuf.Unsafe.Decode.value n
              and p = Weir_protobuf.Unsafe.Decode.behind from n in
              [%e one]]
        in
        [%expr
          let at = ref p and limit = stop in
          while !at < limit do
            let from = !at in
            [%e one]
          done]
  in
  [%expr
    let stop = Weir_protobuf.Unsafe.Decode.stop s p v limit in
    pos := stop;
    [%e before body]]

(* The number behind a tag, [v] from [from] up to [p]: its [first] byte if that
   is all of it, or what is [long]. *)
let with_number loc ~first ~long body =
  [%expr
    let v = ref [%e first] and p = ref (from + 1) in
    if not (!v < 128) then (
      let n = [%e long] in
      v := Weir_protobuf.Unsafe.Decode.value n;
      p := Weir_protobuf.Unsafe.Decode.behind from n);
    let v = !v and p = !p in
    [%e body]]

let element c ((f, _) as field) = value c f.loc f.ty ~store:(stored field) ~go:(go_on f.loc)

(* Numbers of a list that is not packed come one behind the other: the runtime
   reads them all, as it does a packed block, where it can. *)
let run (f, _) ~start ~otherwise =
  let loc = f.loc in
  let name = Code.evar loc (local f) and b = Code.evar loc (block f) in
  [%expr
    let at = ref [%e start] in
    match Weir_protobuf.Unsafe.Derived.run_int s !at limit [%e Code.int loc (own_tag f)] at with
    | [] -> [%e otherwise]
    | l ->
        pos := !at;
        if not (![%e b] == []) then [%e name] := Stdlib.List.rev_append ![%e b] ![%e name];
        [%e b] := l]

let tags ?(before = Fun.id) c ((f, _) as field) =
  let one = element c field in
  let all =
    if not (has_run f) then one
    else
      let loc = f.loc in
      run field ~start:[%expr start] ~otherwise:one
  in
  let own = (own_tag f, before all) in
  match f.count with
  | (List | Array) when wire_type f.ty <> 2 -> [ own; (packed_tag f, packed_body c field ~before) ]
  | Required | Optional | List | Array -> [ own ]

let field_arms ?before c ((f, _) as field) =
  List.map (fun (tag, read) -> arm f.loc tag read) (tags ?before c field)

(* Any other tag: a field that is known came in another wire type, or it is
   not known and is skipped. *)
let last_arm loc names =
  let known = List.map (fun (key, name) -> arm loc key (Code.str loc name)) names in
  let unknown = B.case ~lhs:[%pat? _] ~guard:None ~rhs:[%expr ""] in
  B.case
    ~lhs:[%pat? tag]
    ~guard:None
    ~rhs:
      [%expr
        let field = [%e B.pexp_match ~loc [%expr tag lsr 3] (known @ [ unknown ])] in
        if Stdlib.String.length field = 0 then
          pos := Weir_protobuf.Unsafe.Decode.skip s tag from limit depth
        else raise (Weir_protobuf.Unsafe.Derived.wrong_wire start field tag)]

let one_field loc arms ~names =
  [%expr
    let start = !pos in
    let tag = ref (Weir_protobuf.Unsafe.Decode.byte s start) and from = ref (start + 1) in
    if not (!tag < 128) then (
      let t = Weir_protobuf.Unsafe.Decode.long s start limit in
      tag := Weir_protobuf.Unsafe.Decode.value t;
      from := Weir_protobuf.Unsafe.Decode.behind start t);
    let tag = !tag and from = !from in
    if not (from < limit) then raise (Weir_protobuf.Unsafe.Decode.no_value tag from);
    [%e
      with_number loc
        ~first:[%expr Weir_protobuf.Unsafe.Decode.byte s from]
        ~long:[%expr Weir_protobuf.Unsafe.Decode.number s from limit tag]
        (B.pexp_match ~loc [%expr tag] (arms @ [ last_arm loc names ]))]]

let loop loc arms ~names finish =
  [%expr
    let pos = ref pos in
    while !pos < limit do
      [%e one_field loc arms ~names]
    done;
    [%e finish]]

let result ~within (f, absence) =
  let loc = f.loc in
  let name = Code.evar loc (local f) in
  let all =
    if has_block f then
      [%expr Weir_protobuf.Unsafe.Decode.joined [] ![%e name] ![%e Code.evar loc (block f)]]
    else [%expr Weir_protobuf.Unsafe.Decode.in_order [] ![%e name]]
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
            [%expr
              raise
                (Weir_protobuf.Unsafe.Derived.missing limit
                   [%e Code.str loc (within ^ "." ^ f.name)])]
      in
      [%expr match ![%e name] with Some v -> v | None -> [%e absent]]
