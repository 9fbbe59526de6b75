open Ppxlib
open Model
module B = Ast_builder.Default

let quoted s =
  let b = Buffer.create 16 in
  Buffer.add_char b '"';
  String.iter
    (fun c ->
      match c with
      | '"' | '\\' -> Printf.bprintf b "\\%c" c
      | ' ' .. '~' -> Buffer.add_char b c
      | c -> Printf.bprintf b "\\%03o" (Char.code c))
    s;
  Buffer.add_char b '"';
  Buffer.contents b

let float_text s =
  let x = float_of_string s in
  if Float.is_nan x then "nan"
  else if Float.is_integer x && Float.abs x < 1e15 then Printf.sprintf "%.1f" x
  else Printf.sprintf "%.17g" x

(* As a .proto file writes it; a default that OCaml computes has no such form. *)
let default_text f =
  match (Option.map (fun e -> e.pexp_desc) f.default, f.ty) with
  | Some (Pexp_constant (Pconst_integer (s, _))), Scalar _ ->
      Option.map Int64.to_string (Int64.of_string_opt s)
  | Some (Pexp_constant (Pconst_float (s, _))), Scalar _ -> Some (float_text s)
  | Some (Pexp_constant (Pconst_string (s, _, _))), Scalar _ -> Some (quoted s)
  | Some (Pexp_construct ({ txt = Lident (("true" | "false") as s); _ }, None)), Scalar (Bool, _) ->
      Some s
  | ( Some (Pexp_construct ({ txt = Lident s | Ldot (_, s); _ }, None) | Pexp_variant (s, None)),
      Enum _ ) ->
      Some (Describe.plain s ^ "_tag")
  | _ -> None

let defaults loc d name =
  let fields = match d.shape with Fields (_, fields) -> fields | Cases _ -> [] in
  List.filter_map
    (fun f ->
      Option.map
        (fun text -> [%expr [%e name], [%e Code.int loc f.key], [%e Code.str loc text]])
        (default_text f))
    fields

let rec elsewhere = function
  | Var _ -> []
  | Own (_, args) -> List.concat_map elsewhere args
  | Other (_, args) as m -> if Code.of_elsewhere m then [ m ] else List.concat_map elsewhere args

let messages_of d =
  let of_field f = match f.ty with Message m -> elsewhere m | Scalar _ | Enum _ -> [] in
  match d.shape with
  | Fields (_, fields) -> List.concat_map of_field fields
  | Cases cases ->
      List.concat_map (fun c -> match c.content with One f -> of_field f | _ -> []) cases

let with_defaults loc registry = function
  | [] -> registry
  | l -> [%expr Weir_protobuf.Registry.with_defaults [%e registry] [%e B.elist ~loc l]]

let registry c =
  let defs = (Code.group c).defs in
  let loc = Code.loc (List.hd defs) in
  let plain = List.filter (fun d -> d.params = []) defs in
  let others =
    List.sort_uniq
      (fun a b -> String.compare (Code.key_of a) (Code.key_of b))
      (List.concat_map messages_of defs)
  in
  let imports =
    List.map (fun m -> [%expr Weir_protobuf.Codec.types [%e Code.codec c loc m]]) others
  in
  let messages = List.map (fun d -> Code.evar loc ("desc_" ^ d.id)) plain in
  with_defaults loc
    [%expr
      Weir_protobuf.Registry.make ~imports:[%e B.elist ~loc imports]
        ~messages:[%e B.elist ~loc messages] ~extensions:[]]
    (List.concat_map (fun d -> defaults loc d (Code.str loc d.full_name)) plain)

let own_registry d =
  let loc = Code.loc d in
  let imports =
    List.map
      (fun name -> [%expr Weir_protobuf.Codec.types [%e Code.evar loc name]])
      (Code.parameters d)
  in
  with_defaults loc
    [%expr
      Weir_protobuf.Registry.make
        ~imports:(types :: [%e B.elist ~loc imports])
        ~messages:[ desc ] ~extensions:[]]
    (defaults loc d [%expr desc.Weir_protobuf.Descriptor.full_name])
