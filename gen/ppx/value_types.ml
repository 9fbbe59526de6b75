open Ppxlib
open Model

let error = Attrs.error
let value_name id suffix = if String.equal id "t" then suffix else id ^ "_" ^ suffix

type context = {
  own : (string * bool) list;  (** types of the group, and whether they are enums *)
  hidden : bool;  (** a [nonrec] definition may hide types that its fields name *)
  made : def list ref;  (** newest first *)
  id : string;
  full : string;
  vars : string list;
  place : context -> core_type -> message;  (** a message for a type that has no name *)
}

let scalar_of : longident -> scalar option = function
  | Lident "bool" | Ldot (Lident "Bool", "t") -> Some Bool
  | Lident "int" | Ldot (Lident "Int", "t") -> Some Int
  | Lident "int32" | Ldot (Lident "Int32", "t") -> Some Int32
  | Lident "int64" | Ldot (Lident "Int64", "t") -> Some Int64
  | Lident "uint32" | Ldot (Lident "Uint32", "t") -> Some Uint32
  | Lident "uint64" | Ldot (Lident "Uint64", "t") -> Some Uint64
  | Lident "float" | Ldot (Lident "Float", "t") -> Some Float
  | Lident "string" | Ldot (Lident "String", "t") -> Some String
  | Lident "bytes" | Ldot (Lident "Bytes", "t") -> Some Bytes
  | _ -> None

let usual : scalar -> encoding = function
  | Bool | Int -> Varint
  | Int32 | Uint32 -> Bits32
  | Int64 | Uint64 | Float -> Bits64
  | String | Bytes -> Blob

let may_be (s : scalar) (e : encoding) =
  match (s, e) with
  | Bool, Varint -> true
  | (Int | Int32 | Int64 | Uint32 | Uint64), (Varint | Zigzag | Bits32 | Bits64) -> true
  | Float, (Bits32 | Bits64) -> true
  | (String | Bytes), Blob -> true
  | (Bool | Int | Int32 | Int64 | Uint32 | Uint64 | Float | String | Bytes), _ -> false

let spelled t = Format.asprintf "%a" Pprintast.core_type (Attrs.without t)

let encoding_name = function
  | Varint -> "varint"
  | Zigzag -> "zigzag"
  | Bits32 -> "bits32"
  | Bits64 -> "bits64"
  | Blob -> "bytes"

let suffixed ~loc lid suffix =
  let rec applied = function Lident _ -> false | Ldot (m, _) -> applied m | Lapply _ -> true in
  if applied lid then
    error ~loc "%s: give the functor's application a name, as in module M = F (X)"
      (Longident.name lid);
  match lid with
  | Lident id -> Lident (value_name id suffix)
  | Ldot (m, id) -> Ldot (m, value_name id suffix)
  | Lapply _ as l -> l

(* A type as an argument of another: a message in any case; what has no codec of its own becomes what
   a type definition would make of it. *)
let rec argument c t =
  match t.ptyp_desc with
  | Ptyp_var v -> Var v
  | Ptyp_constr ({ txt = Lident id; _ }, args) when List.mem_assoc id c.own ->
      Own (id, List.map (argument c) args)
  | Ptyp_constr ({ txt; _ }, [])
    when scalar_of txt <> None && Attrs.encoding t.ptyp_attributes <> None ->
      c.place c t
  | Ptyp_constr ({ txt; _ }, []) when scalar_of txt <> None -> (
      match scalar_of txt with
      | Some (Uint32 | Uint64) | None -> c.place c t
      | Some s ->
          let id =
            match s with
            | Bool -> "bool"
            | Int -> "int"
            | Int32 -> "int32"
            | Int64 -> "int64"
            | Float -> "float"
            | String -> "string"
            | Bytes | Uint32 | Uint64 -> "bytes"
          in
          let runtime = Ldot (Ldot (Lident "Weir_protobuf", "Unsafe"), "Derived") in
          Other (Ldot (runtime, id ^ "_protobuf"), []))
  | Ptyp_constr ({ txt = Lident ("list" | "array" | "option"); _ }, _) -> c.place c t
  | Ptyp_constr ({ txt; _ }, args) ->
      Other (suffixed ~loc:t.ptyp_loc txt "protobuf", List.map (argument c) args)
  | _ -> c.place c t

let no_bare attributes =
  match Attrs.bare attributes with
  | Some loc -> error ~loc "[@@bare] needs a variant whose constructors have no arguments"
  | None -> ()

let no_encoding attributes t =
  match Attrs.encoding attributes with
  | Some (e, loc) -> error ~loc "`%s is not an encoding of %s" (encoding_name e) (spelled t)
  | None -> ()

let scalar attributes t s =
  no_bare attributes;
  match Attrs.encoding attributes with
  | None -> Scalar (s, usual s)
  | Some (e, loc) ->
      if not (may_be s e) then
        error ~loc "`%s is not an encoding of %s" (encoding_name e) (spelled t);
      Scalar (s, e)

let named c attributes t (lid : longident) args =
  let bare = Attrs.bare attributes in
  (* The old library's way to say [@bare]. *)
  let bare =
    match Attrs.encoding attributes with
    | Some (Varint, loc) -> Some loc
    | Some (Blob, _) | None -> bare
    | Some _ ->
        no_encoding attributes t;
        bare
  in
  match (bare, lid, args) with
  | None, _, _ -> Message (argument c t)
  | Some loc, Lident id, _ when List.mem_assoc id c.own ->
      if not (List.assoc id c.own) then
        error ~loc "[@@bare] needs a variant whose constructors have no arguments: %s is none" id;
      Enum (Own_enum id)
  | Some _, _, [] -> Enum (Other_enum (suffixed ~loc:t.ptyp_loc lid "protobuf_bare"))
  | Some loc, _, _ -> error ~loc "[@@bare] needs a variant without parameters"

let packable = function
  | Scalar (_, (Varint | Zigzag | Bits32 | Bits64)) | Enum _ -> true
  | Scalar (_, Blob) | Message _ -> false

let check_packed count ty attributes =
  match Attrs.packed attributes with
  | None -> false
  | Some loc -> (
      match count with
      | (List | Array) when packable ty -> true
      | List | Array ->
          error ~loc "[@@packed] needs numbers or bare variants: messages and strings have lengths"
      | Required | Optional -> error ~loc "[@@packed] needs a list or an array")

let check_default count attributes =
  match (Attrs.default attributes, count) with
  | None, _ -> None
  | Some (e, _), Required -> Some e
  | Some (_, loc), (Optional | List | Array) ->
      error ~loc "[@@default] needs a plain field: options, lists and arrays have their own"

(* A name that a .proto file can have. *)
let proto_name s =
  String.map (fun c -> match c with 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' -> c | _ -> '_') s

(* The same of a path. *)
let dotted s = String.concat "." (List.map proto_name (String.split_on_char '.' s))
