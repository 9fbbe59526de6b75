open Schema

type place = { schema : Schema.t; here : string; module_of : string -> string; wide : bool }
type view = Flat | Within of { path : string list; absolute : bool }

let rec strip prefix path =
  match (prefix, path) with
  | [], rest -> Some rest
  | p :: prefix, q :: path when String.equal p q -> strip prefix path
  | _ -> None

(* In a module outside recursive groups only what is below it is named
   relative to it; all else stands before it at the top of the file. *)
let relative ~path ~absolute target =
  if target = path then []
  else if absolute then target
  else match strip path target with Some (_ :: _ as rest) -> rest | Some [] | None -> target

let dotted l = String.concat "." l
let elsewhere p home modules = dotted (p.module_of home :: modules)

let message_type p view name =
  let m = Schema.message p.schema name in
  if m.home <> p.here then elsewhere p m.home m.modules ^ ".t"
  else
    match view with
    | Flat -> m.flat
    | Within { path; absolute } -> dotted (relative ~path ~absolute m.modules @ [ "t" ])

let enum_module p view name =
  let e = Schema.enum p.schema name in
  if e.enum_home <> p.here then elsewhere p e.enum_home e.enum_modules
  else
    match view with
    | Flat -> e.enum_flat
    | Within { path; absolute } -> dotted (relative ~path ~absolute e.enum_modules)

let scalar_type (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Double | Float -> "float"
  | Int32 | Uint32 | Sint32 | Fixed32 | Sfixed32 -> "int"
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> "int64"
  | Bool -> "bool"
  | String | Bytes | Raw_string -> "string"
  | Enum _ | Message _ | Delimited _ -> assert false

let value_type p view = function
  | Scalar k -> scalar_type k
  | Enum name -> enum_module p view name ^ ".t"
  | Message name | Delimited name -> message_type p view name

let is_option p m f =
  match f.shape with
  | Explicit -> true
  | Required -> Schema.required_loops p.schema f m
  | Implicit | Repeated | Packed | Map _ | Case _ -> false

let field_type p view m f =
  match f.shape with
  | Map (k, v) -> Printf.sprintf "(%s * %s) list" (value_type p view k) (value_type p view v)
  | Repeated | Packed -> value_type p view f.kind ^ " list"
  | Explicit | Required | Implicit | Case _ ->
      value_type p view f.kind ^ if is_option p m f then " option" else ""

let of_message p name ~flat ~field =
  let m = Schema.message p.schema name in
  if m.home = p.here then flat m.flat
  else Printf.sprintf "%s.codec.%s" (elsewhere p m.home m.modules) field

let reader p name = of_message p name ~flat:(fun f -> "read_" ^ f) ~field:"read"
let sizer p name = of_message p name ~flat:(fun f -> "size_" ^ f) ~field:"size"
let writer p name = of_message p name ~flat:(fun f -> "write_" ^ f) ~field:"write"
let default_message p name = of_message p name ~flat:(fun f -> "default_" ^ f) ~field:"default"
let descriptor p name = of_message p name ~flat:(fun f -> f ^ "_descriptor") ~field:"descriptor"

let zero p = function
  | Scalar k -> (
      match scalar_type k with
      | "float" -> "0."
      | "int" -> "0"
      | "int64" -> "0L"
      | "bool" -> "false"
      | _ -> "\"\"")
  | Enum name ->
      let e = Schema.enum p.schema name in
      let _, constructor, _, _ = List.hd e.values in
      enum_module p Flat name ^ "." ^ constructor
  | Message name | Delimited name -> default_message p name

(* The descriptor writes a bytes default with C escapes. *)
let unescape s =
  let b = Buffer.create (String.length s) in
  let n = String.length s in
  let octal c = c >= '0' && c <= '7' in
  let rec number i stop base acc =
    let digit c =
      match c with
      | '0' .. '9' -> Char.code c - 48
      | 'a' .. 'f' -> Char.code c - 87
      | 'A' .. 'F' -> Char.code c - 55
      | _ -> 99
    in
    if i < stop && i < n && digit s.[i] < base then
      number (i + 1) stop base ((acc * base) + digit s.[i])
    else (i, acc)
  in
  let add i code =
    Buffer.add_char b (Char.chr (code land 255));
    i
  in
  let rec go i =
    if i < n then
      if s.[i] <> '\\' || i + 1 >= n then go (add (i + 1) (Char.code s.[i]))
      else
        let next =
          match s.[i + 1] with
          | 'n' -> add (i + 2) 10
          | 'r' -> add (i + 2) 13
          | 't' -> add (i + 2) 9
          | 'x' | 'X' ->
              let j, v = number (i + 2) (i + 4) 16 0 in
              add j v
          | c when octal c ->
              let j, v = number (i + 1) (i + 4) 8 0 in
              add j v
          | c -> add (i + 2) (Char.code c)
        in
        go next
  in
  go 0;
  Buffer.contents b

let float_literal d =
  match d with
  | "inf" -> "infinity"
  | "-inf" -> "neg_infinity"
  | "nan" -> "nan"
  | d -> (
      match float_of_string_opt d with
      | Some x -> Printf.sprintf "(%h)" x
      | None -> failwith ("float default " ^ d))

let uint64_literal d =
  match Int64.of_string_opt d with
  | Some v -> Printf.sprintf "(%LdL)" v
  | None -> Printf.sprintf "(%LdL)" (Int64.of_string ("0u" ^ d))

let default p f =
  match (f.default, f.kind) with
  | None, k -> zero p k
  | Some d, Scalar k -> (
      match (scalar_type k, k) with
      | "float", _ -> float_literal d
      | "int", _ -> Printf.sprintf "(%s)" d
      | "int64", _ -> uint64_literal d
      | "bool", _ -> d
      | _, Bytes -> Printf.sprintf "%S" (unescape d)
      | _ -> Printf.sprintf "%S" d)
  | Some d, Enum name ->
      let e = Schema.enum p.schema name in
      let by_name =
        List.map (fun (n, c, _, _) -> (n, c)) e.values
        @ List.map (fun (n, _, c) -> (n, c)) e.aliases
      in
      enum_module p Flat name ^ "." ^ List.assoc d by_name
  | Some d, (Message _ | Delimited _) -> failwith ("default of a message: " ^ d)
