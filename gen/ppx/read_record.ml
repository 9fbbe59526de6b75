open Ppxlib
open Model
open Read_value
open Read_fields
module B = Ast_builder.Default

(* Fields come in the order of their keys, as writers write them: each whose tag
   is one byte has a step, where it is looked for once the ones before it are
   through. [next] is the next tag and, above it, the byte behind. *)

let has_step (f, _) = f.key < 16
let step_tag f = if f.packed then packed_tag f else own_tag f

let step c ((f, _) as field) =
  let loc = f.loc in
  let tag = step_tag f in
  let read = if f.packed then packed_body c field ~before:Fun.id else element c field in
  let read =
    if tag land 5 <> 0 then read
    else
      let long = [%expr Weir_protobuf.Unsafe.Decode.long s from limit] in
      with_number loc ~first:[%expr !next lsr 8] ~long read
  in
  let read = if has_run f then run field ~start:[%expr !pos] ~otherwise:read else read in
  let read =
    match (f.count, f.ty) with
    | Optional, Scalar (String, _) ->
        (* The option of the empty string is there already. *)
        [%expr
          if !next = [%e Code.int loc tag] then (
            pos := from + 1;
            [%e Code.evar loc (local f)] := Some "")
          else [%e read]]
    | _ -> read
  in
  let tag = Code.int loc tag in
  let read =
    [%expr
      let from = !pos + 1 in
      [%e read];
      next := Weir_protobuf.Unsafe.Decode.next s !pos last]
  in
  match f.count with
  | (List | Array) when not (f.packed || has_run f) ->
      [%expr
        while !next land 255 = [%e tag] do
          [%e read]
        done]
  | List | Array | Required | Optional -> [%expr if !next land 255 = [%e tag] then [%e read]]

(* What no step takes is read as ever, up to a field that has one: it comes out
   of order, or its tag is longer than it need be. Then the steps begin again, as
   if its tag were one byte. *)
let stepped_loop c loc fields ~names finish =
  let stepped = List.filter has_step fields in
  let of_step = List.map (fun (f, _) -> step_tag f) stepped in
  let other_tags field = List.filter (fun (tag, _) -> not (List.mem tag of_step)) (tags c field) in
  let others =
    List.concat_map
      (fun field -> List.map (fun (tag, read) -> arm (fst field).loc tag read) (other_tags field))
      fields
  in
  let again =
    let tag = List.map (B.pint ~loc) of_step in
    B.case
      ~lhs:(List.fold_left (B.ppat_or ~loc) (List.hd tag) (List.tl tag))
      ~guard:None
      ~rhs:
        [%expr
          pos := from - 1;
          next := tag lor (Weir_protobuf.Unsafe.Decode.byte s from * 256)]
  in
  let steps =
    List.fold_right
      (fun field rest ->
        [%expr
          [%e step c field];
          [%e rest]])
      stepped [%expr !pos < limit]
  in
  [%expr
    let pos = ref pos and last = limit - 1 in
    let next = ref (Weir_protobuf.Unsafe.Decode.next s !pos last) in
    while [%e steps] do
      next := 0;
      while if !next = 0 then !pos < limit else false do
        [%e one_field loc (again :: others) ~names]
      done
    done;
    [%e finish]]

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
          Weir_protobuf.Unsafe.Decode.missing limit [%e names] ![%e word]])
    (counted fields)
  |> fun checks ->
  List.fold_right
    (fun check e ->
      [%expr
        [%e check];
        [%e e]])
    checks body

let reader c loc ~within form fields =
  let fields = absence c fields in
  let finish =
    checked loc ~within fields
      (Defaults.build loc form (List.map (fun f -> (fst f, result ~within f)) fields))
  in
  let names = List.map (fun (f, _) -> (f.key, f.name)) fields in
  let body =
    if List.exists has_step fields then stepped_loop c loc fields ~names finish
    else loop loc (List.concat_map (field_arms c) fields) ~names finish
  in
  let body = List.fold_right (with_local c) fields body in
  List.fold_right
    (fun i body -> let_ref loc (Printf.sprintf "seen%d" i) [%expr 0] body)
    (List.mapi (fun i _ -> i) (counted fields))
    body
