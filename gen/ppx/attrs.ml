open Ppxlib

let error ~loc fmt = Location.raise_errorf ~loc ("[@@@@deriving protobuf]: " ^^ fmt)

let find name (attributes : attributes) =
  let named n = List.find_opt (fun a -> String.equal a.attr_name.txt n) attributes in
  match (named ("protobuf." ^ name), named ("deriving.protobuf." ^ name)) with
  | (Some _ as a), _ | None, (Some _ as a) -> a
  | None, None -> named name

let wrong a name shape = error ~loc:a.attr_loc "[@@%s] must be written %s" name shape

let payload_expression a =
  match a.attr_payload with
  | PStr [ { pstr_desc = Pstr_eval (e, _); _ } ] -> Some e
  | PStr _ | PSig _ | PTyp _ | PPat _ -> None

let check_key ~loc key =
  if key >= 19000 && key <= 19999 then
    error ~loc "key %d is in the range 19000 to 19999, which protobuf reserves" key;
  if key < 1 || key > 0x1fffffff then error ~loc "key %d is not between 1 and 536870911" key

let key attributes =
  Option.map
    (fun a ->
      match payload_expression a with
      | Some { pexp_desc = Pexp_constant (Pconst_integer (digits, None)); pexp_loc = loc; _ } -> (
          match int_of_string_opt digits with
          | Some key ->
              check_key ~loc key;
              key
          | None -> error ~loc "key %s is not between 1 and 536870911" digits)
      | Some _ | None -> wrong a "key" "with a number, as in [@key 1]")
    (find "key" attributes)

let encoding attributes =
  Option.map
    (fun a ->
      let e : Model.encoding =
        match payload_expression a with
        | Some { pexp_desc = Pexp_variant ("varint", None); _ } -> Varint
        | Some { pexp_desc = Pexp_variant ("zigzag", None); _ } -> Zigzag
        | Some { pexp_desc = Pexp_variant ("bits32", None); _ } -> Bits32
        | Some { pexp_desc = Pexp_variant ("bits64", None); _ } -> Bits64
        | Some { pexp_desc = Pexp_variant ("bytes", None); _ } -> Blob
        | Some _ | None ->
            wrong a "encoding"
              "with one of `varint, `zigzag, `bits32, `bits64, `bytes, as in [@encoding `zigzag]"
      in
      (e, a.attr_loc))
    (find "encoding" attributes)

let flag name attributes =
  Option.map
    (fun a ->
      match a.attr_payload with
      | PStr [] -> a.attr_loc
      | PStr _ | PSig _ | PTyp _ | PPat _ ->
          wrong a name (Printf.sprintf "without a payload: [@%s]" name))
    (find name attributes)

let bare = flag "bare"
let packed = flag "packed"

let default attributes =
  Option.map
    (fun a ->
      match payload_expression a with
      | Some e -> (e, a.attr_loc)
      | None -> wrong a "default" "with an expression, as in [@default 0]")
    (find "default" attributes)

let unused attributes names =
  List.iter
    (fun name ->
      match find name attributes with
      | Some a -> error ~loc:a.attr_loc "[@@%s] has no meaning here" name
      | None -> ())
    names

let strip =
  object
    inherit Ast_traverse.map
    method! attributes _ = []
  end

let without t = strip#core_type t
