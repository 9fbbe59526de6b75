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
              let n = Weir_protobuf.Decode.varint s from limit in
              let v = Weir_protobuf.Decode.value n and p = Weir_protobuf.Decode.behind from n in
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
    let stop = Weir_protobuf.Decode.stop s p v limit in
    pos := stop;
    [%e before body]]

let packed_arm c ((f, _) as field) ~before =
  arm f.loc ((f.key lsl 3) lor 2) (packed_body c field ~before)

(* The number behind a tag, [v] from [from] up to [p]: its [first] byte if that
   is all of it, or what is [long]. *)
let with_number loc ~first ~long body =
  [%expr
    let v = ref [%e first] and p = ref (from + 1) in
    if not (!v < 128) then (
      let n = [%e long] in
      v := Weir_protobuf.Decode.value n;
      p := Weir_protobuf.Decode.behind from n);
    let v = !v and p = !p in
    [%e body]]

let element c ((f, _) as field) = value c f.loc f.ty ~store:(stored field) ~go:(go_on f.loc)

(* Numbers of a list that is not packed come one behind the other: the runtime
   reads them all, as it does a packed block, where it can. *)
let run (f, _) ~otherwise =
  let loc = f.loc in
  let name = Code.evar loc (local f) and b = Code.evar loc (block f) in
  [%expr
    let at = ref start in
    match Weir_protobuf.Derived.run_int s start limit tag at with
    | [] -> [%e otherwise]
    | l ->
        pos := !at;
        if not (![%e b] == []) then [%e name] := Stdlib.List.rev_append ![%e b] ![%e name];
        [%e b] := l]

let own_tag f = (f.key lsl 3) lor wire_type f.ty

let field_arms ?(before = Fun.id) c ((f, _) as field) =
  let loc = f.loc in
  let wire = wire_type f.ty in
  let one = element c field in
  let own = arm loc (own_tag f) (before (if has_run f then run field ~otherwise:one else one)) in
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
          [%expr raise (Weir_protobuf.Derived.wrong_wire start [%e Code.str loc name] tag)])
      names
  in
  let skip =
    B.case
      ~lhs:[%pat? _]
      ~guard:None
      ~rhs:[%expr pos := Weir_protobuf.Decode.skip s tag from limit depth]
  in
  B.case ~lhs:[%pat? tag] ~guard:None ~rhs:(B.pexp_match ~loc [%expr tag lsr 3] (known @ [ skip ]))

(* Fields come in the order of their keys, as writers write them: each whose tag
   is one byte is looked for where it would be, before the loop that takes what
   is left in any order. [next] is the next tag and the byte behind it. *)
let step c ((f, _) as field) =
  let loc = f.loc in
  let block = f.packed in
  let tag = if block then (f.key lsl 3) lor 2 else own_tag f in
  let read = if block then packed_body c field ~before:Fun.id else element c field in
  let read =
    if tag land 5 <> 0 then read
    else
      let long = [%expr Weir_protobuf.Decode.long s from limit] in
      with_number loc ~first:[%expr !next lsr 8] ~long read
  in
  let read = if has_run f then run field ~otherwise:read else read in
  let read =
    match (f.count, f.ty) with
    | Optional, Scalar (String, _) ->
        (* The option of the empty string is there already. *)
        [%expr
          if !next = tag then (
            pos := from + 1;
            [%e Code.evar loc (local f)] := Some "")
          else [%e read]]
    | _ -> read
  in
  let tag = Code.int loc tag in
  let read =
    [%expr
      let tag = [%e tag] and start = !pos in
      let from = start + 1 in
      [%e read];
      next := Weir_protobuf.Decode.next s !pos last]
  in
  match f.count with
  | (List | Array) when not (block || has_run f) ->
      [%expr
        while !next land 255 = [%e tag] do
          [%e read]
        done]
  | List | Array | Required | Optional -> [%expr if !next land 255 = [%e tag] then [%e read]]

let steps c loc fields =
  let all = List.filter (fun (f, _) -> f.key < 16) fields in
  if all = [] then [%expr ()]
  else
    let each =
      List.fold_right
        (fun field rest ->
          [%expr
            [%e step c field];
            [%e rest]])
        all [%expr ()]
    in
    [%expr
      let last = limit - 1 in
      let next = ref (Weir_protobuf.Decode.next s !pos last) in
      [%e each]]

let loop ?steps loc arms ~names finish =
  let first = match steps with Some e -> e | None -> [%expr ()] in
  [%expr
    let pos = ref pos in
    [%e first];
    while !pos < limit do
      let start = !pos in
      let tag = ref (Weir_protobuf.Decode.byte s start) and from = ref (start + 1) in
      if not (!tag < 128) then (
        let t = Weir_protobuf.Decode.long s start limit in
        tag := Weir_protobuf.Decode.value t;
        from := Weir_protobuf.Decode.behind start t);
      let tag = !tag and from = !from in
      if not (from < limit) then raise (Weir_protobuf.Decode.no_value tag from);
      [%e
        with_number loc ~first:[%expr Weir_protobuf.Decode.byte s from]
          ~long:[%expr Weir_protobuf.Decode.number s from limit tag]
          (B.pexp_match ~loc [%expr tag] (arms @ [ last_arm loc names ]))]
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
            [%expr
              raise (Weir_protobuf.Derived.missing limit [%e Code.str loc (within ^ "." ^ f.name)])]
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
  let body =
    loop loc ~steps:(steps c loc fields) (List.concat_map (field_arms c) fields) ~names finish
  in
  let body = List.fold_right (with_local c) fields body in
  List.fold_right
    (fun i body -> let_ref loc (Printf.sprintf "seen%d" i) [%expr 0] body)
    (List.mapi (fun i _ -> i) (counted fields))
    body
