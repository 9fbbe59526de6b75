open Idl
open Program
open Printf
module Naming = Weir_naming

let file_module t = Naming.capital t.base ^ "_thrift"
let flat (t : Program.t) name = Names.type_ t.names name
let modul (t : Program.t) name = Names.modul t.names name
let there ~from t = if t.base = from.base then "" else file_module t ^ "."

(* A function on a type: short here, the module's elsewhere. *)
let call ~from t name here member =
  if t.base = from.base then here ^ flat t name
  else sprintf "%s.%s.%s" (file_module t) (modul t name) member

(* [None] and [Some], with their path where the file defines others. *)
let none t = if t.own_options then "Option.None" else "None"
let some t = if t.own_options then "Option.Some" else "Some"

let rec ocaml t = function
  | Bool -> "bool"
  | I8 | I16 | I32 -> "int"
  | I64 -> "int64"
  | Double -> "float"
  | String | Uuid -> "string"
  | List ty | Set ty -> ocaml t ty ^ " list"
  | Map (k, v) -> sprintf "(%s * %s) list" (ocaml t k) (ocaml t v)
  | Named n ->
      let file, d = definition t n in
      there ~from:t file ^ flat file d.name

let kind t ty =
  let file, ty = resolve t ty in
  "Thrift.Kind."
  ^
  match ty with
  | Bool -> "bool"
  | I8 -> "i8"
  | I16 -> "i16"
  | I32 -> "i32"
  | I64 -> "i64"
  | Double -> "double"
  | String -> "string"
  | Uuid -> "uuid"
  | List _ -> "list"
  | Set _ -> "set"
  | Map _ -> "map"
  | Named n -> (
      match (definition file n : t * definition) with
      | _, { body = Enum _; _ } -> "i32"
      | _ -> "struct_")

let kind_number t ty =
  let file, ty = resolve t ty in
  match ty with
  | Bool -> 1
  | I8 -> 3
  | I16 -> 4
  | I32 -> 5
  | I64 -> 6
  | Double -> 7
  | String -> 8
  | List _ -> 9
  | Set _ -> 10
  | Map _ -> 11
  | Uuid -> 13
  | Named n -> ( match definition file n with _, { body = Enum _; _ } -> 5 | _ -> 12)

(* A function that reads a value; names are understood in [t], printed for [from]. *)
let rec reader ~from t ty =
  match ty with
  | Bool -> "Thrift.Reader.bool"
  | I8 -> "Thrift.Reader.i8"
  | I16 -> "Thrift.Reader.i16"
  | I32 -> "Thrift.Reader.i32"
  | I64 -> "Thrift.Reader.i64"
  | Double -> "Thrift.Reader.double"
  | String -> "Thrift.Reader.string"
  | Uuid -> "Thrift.Reader.uuid"
  | List e | Set e -> sprintf "(fun r -> Thrift.Reader.list r %s %s)" (kind t e) (reader ~from t e)
  | Map (k, v) ->
      sprintf "(fun r -> Thrift.Reader.map r %s %s %s %s)" (kind t k) (kind t v) (reader ~from t k)
        (reader ~from t v)
  | Named n -> (
      match definition t n with
      | file, { body = Typedef ty; _ } -> reader ~from file ty
      | file, d -> call ~from file d.name "read_" "read")

let rec writer ~from t ty =
  match ty with
  | Bool -> "Thrift.Writer.bool"
  | I8 -> "Thrift.Writer.i8"
  | I16 -> "Thrift.Writer.i16"
  | I32 -> "Thrift.Writer.i32"
  | I64 -> "Thrift.Writer.i64"
  | Double -> "Thrift.Writer.double"
  | String -> "Thrift.Writer.string"
  | Uuid -> "Thrift.Writer.uuid"
  | List e | Set e ->
      sprintf "(fun w l -> Thrift.Writer.list w %s %s l)" (kind t e) (writer ~from t e)
  | Map (k, v) ->
      sprintf "(fun w l -> Thrift.Writer.map w %s %s %s %s l)" (kind t k) (kind t v)
        (writer ~from t k) (writer ~from t v)
  | Named n -> (
      match definition t n with
      | file, { body = Typedef ty; _ } -> writer ~from file ty
      | file, d -> call ~from file d.name "write_" "write")

(* Applied at once, a list's or map's function needs no closure. *)
let rec read ~from t ty =
  match ty with
  | List e | Set e -> sprintf "Thrift.Reader.list r %s %s" (kind t e) (reader ~from t e)
  | Map (k, v) ->
      sprintf "Thrift.Reader.map r %s %s %s %s" (kind t k) (kind t v) (reader ~from t k)
        (reader ~from t v)
  | Named n -> (
      match definition t n with
      | file, { body = Typedef ty; _ } -> read ~from file ty
      | _ -> reader ~from t ty ^ " r")
  | ty -> reader ~from t ty ^ " r"

let rec write ~from t ty v =
  match ty with
  | List e | Set e -> sprintf "Thrift.Writer.list w %s %s %s" (kind t e) (writer ~from t e) v
  | Map (k, w) ->
      sprintf "Thrift.Writer.map w %s %s %s %s %s" (kind t k) (kind t w) (writer ~from t k)
        (writer ~from t w) v
  | Named n -> (
      match definition t n with
      | file, { body = Typedef ty; _ } -> write ~from file ty v
      | _ -> sprintf "%s w %s" (writer ~from t ty) v)
  | ty -> sprintf "%s w %s" (writer ~from t ty) v

let is_bool t ty = snd (resolve t ty) = Bool

let is_struct t ty =
  match resolve t ty with
  | file, Named n -> (
      match definition file n with _, { body = Fields _; _ } -> true | _ -> false)
  | _ -> false

(* A struct that need not be there is an option, so that types can hold themselves. *)
let is_option t (f : field) =
  f.requiredness = Optional || (f.requiredness = Default && is_struct t f.ty)

let labels l =
  List.map2
    (fun f (_, n) -> (f, n))
    l
    (Naming.distinct
       (fun ~taken s -> Naming.value ~taken s)
       (List.map (fun (f : field) -> f.name) l))

let capitals names =
  List.map snd
    (Naming.distinct (fun ~taken s -> Naming.capital ~taken:("Unrecognized" :: taken) s) names)

let members (l : field list) = List.combine l (capitals (List.map (fun (f : field) -> f.name) l))
