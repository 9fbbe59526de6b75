open Ppxlib
open Model
open Write_value

(* -- lists and arrays: a loop of their own, with no closure to call -------- *)

let loop_name verb d f = Printf.sprintf "%s_%s__%s" verb d.id f.label

let loop_call verb loc d f args =
  Code.apply loc
    (Code.evar loc (loop_name verb d f))
    (List.map (Code.evar loc) (Code.parameters d) @ args)

let plural f = match f.count with List | Array -> true | Required | Optional -> false

(* With its tag, or in a packed block without. *)
let add_element c loc f ~sum v =
  add loc ~sum ~tag:(if f.packed then 0 else tag_size f) (value_size c loc f.ty v)

let element_put c loc f v = if f.packed then put_bare c loc f.ty v else put c loc f v

(* The runtime has loops for the commonest of all. *)
let ints f = f.count = List && f.ty = Scalar (Int, Varint)
let packed_ints f = f.packed && ints f
let tagged_ints f = (not f.packed) && ints f && f.key < 16

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
            sum := [%e add_element c loc f ~sum:[%expr !sum] [%expr v]]
          done;
          !sum]
    | List | Required | Optional ->
        [%expr
          match l with
          | [] -> sum
          | v :: rest -> [%e self [ add_element c loc f ~sum:[%expr sum] [%expr v]; [%expr rest] ]]]
  in
  Code.binding d (loop_name "sizes" d f)
    [ [%type: Stdlib.Int.t]; Code.field_type f ]
    [%type: Stdlib.Int.t] [ "sum"; "l" ] body

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
    [ [%type: Stdlib.Bytes.t]; [%type: Stdlib.Int.t]; Code.field_type f ]
    [%type: Stdlib.Int.t] [ "b"; "pos"; "l" ] body

let loops c d fields =
  List.concat_map
    (fun f ->
      if plural f && not (packed_ints f || tagged_ints f) then [ sizes c d f; writes c d f ] else [])
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
  | Scalar (Float, _) -> [%expr Weir_protobuf.Unsafe.Derived.same_float [%e v] [%e e]]
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
  if packed_ints f then [%expr Weir_protobuf.Unsafe.Derived.sum_int [%e get]]
  else loop_call "sizes" loc d f [ [%expr 0]; get ]

let packed_put loc d f get =
  if packed_ints f then [%expr Weir_protobuf.Unsafe.Encode.all_int b pos [%e get]]
  else loop_call "writes" loc d f [ [%expr b]; [%expr pos]; get ]

let always_fixed c f =
  let loc = f.loc in
  match (f.count, f.default) with
  | Required, None -> (
      match value_size c loc f.ty [%expr ()] with
      | Fixed n -> Some (tag_size f + n)
      | Varies _ -> None)
  | (Required | Optional | List | Array), _ -> None

let add_field c d f ~sum get =
  let loc = f.loc in
  let tag = tag_size f in
  let add_value v = add loc ~sum ~tag (value_size c loc f.ty v) in
  match (f.count, f.default) with
  | (List | Array), _ when f.packed ->
      let size = [%expr Weir_protobuf.Unsafe.Encode.size_block [%e packed_size loc d f get]] in
      [%expr if [%e is_empty loc f get] then [%e sum] else [%e add loc ~sum ~tag (Varies size)]]
  | (List | Array), _ when tagged_ints f ->
      [%expr Weir_protobuf.Unsafe.Derived.add_ints [%e sum] [%e get]]
  | (List | Array), _ -> loop_call "sizes" loc d f [ sum; get ]
  | Optional, _ ->
      [%expr match [%e get] with None -> [%e sum] | Some v -> [%e add_value [%expr v]]]
  | Required, None -> add_value get
  | Required, Some e -> [%expr if [%e is_default loc f get e] then [%e sum] else [%e add_value get]]

let field_put c d f get =
  let loc = f.loc in
  match (f.count, f.default) with
  | (List | Array), _ when f.packed ->
      [%expr
        if [%e is_empty loc f get] then pos else [%e put_block loc f.key (packed_put loc d f get)]]
  | (List | Array), _ when tagged_ints f ->
      [%expr Weir_protobuf.Unsafe.Derived.put_ints b pos [%e Code.int loc (f.key lsl 3)] [%e get]]
  | (List | Array), _ -> loop_call "writes" loc d f [ [%expr b]; [%expr pos]; get ]
  | Optional, _ -> [%expr match [%e get] with None -> pos | Some v -> [%e put c loc f [%expr v]]]
  | Required, None -> put c loc f get
  | Required, Some e -> [%expr if [%e is_default loc f get e] then pos else [%e put c loc f get]]
