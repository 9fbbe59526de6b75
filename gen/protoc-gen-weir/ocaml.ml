open Schema

type place = {
  schema : Schema.t;
  here : string;
  module_of : string -> string;
  others : (string, string * string) Hashtbl.t;
  fast_json : bool;
  unknown : Paths.unknown;
  keeps : bool;
  wide : bool;
  cycle : string -> bool;
}

type view = Flat | In_types | Within of string list

let rec strip prefix path =
  match (prefix, path) with
  | [], rest -> Some rest
  | p :: prefix, q :: path when String.equal p q -> strip prefix path
  | _ -> None

let dotted l = String.concat "." l

(* Of another file; its module has another name here if one of this file's hides it. *)
let file_module p home =
  match Hashtbl.find_opt p.others home with
  | Some (_, here) -> here
  | None ->
      let name = p.module_of home in
      let head = List.hd (String.split_on_char '.' name) in
      let hidden = Schema.has_module p.schema p.here head in
      let here =
        if hidden then Printf.sprintf "Import'%d" (Hashtbl.length p.others + 1) else name
      in
      Hashtbl.add p.others home (name, here);
      here

let elsewhere p home modules = dotted (file_module p home :: modules)

(* The outermost module of those around [path], itself among them, that has
   another module of the name [target] begins with. *)
let hidden_in p path target =
  let is_below = strip path target <> None in
  let rec go outer rest =
    match rest with
    | [] -> None
    | m :: rest ->
        let outer = outer @ [ m ] in
        if List.mem (List.hd target) (Schema.within p.schema p.here outer) then Some outer
        else go outer rest
  in
  if is_below then None else go [] path

let alias target = "weir'" ^ Names.flat target

(* What is below is named relative to the module, all else from the top of the file. *)
let type_within p ~path target =
  if target = path then "t"
  else
    match strip path target with
    | Some rest -> dotted (rest @ [ "t" ])
    | None -> if hidden_in p path target = None then dotted (target @ [ "t" ]) else alias target

let type_of p view ~home ~modules ~flat =
  if home <> p.here then elsewhere p home modules ^ ".t"
  else match view with Flat | In_types -> flat | Within path -> type_within p ~path modules

let message_type p view name =
  let m = Schema.message p.schema name in
  let flat = if view = Flat then Schema.types_module ^ "." ^ m.flat else m.flat in
  type_of p view ~home:m.home ~modules:m.modules ~flat

let enum_module p name =
  let e = Schema.enum p.schema name in
  if e.enum_home <> p.here then elsewhere p e.enum_home e.enum_modules else e.enum_flat

let enum_type p view name =
  let e = Schema.enum p.schema name in
  type_of p view ~home:e.enum_home ~modules:e.enum_modules ~flat:(e.enum_flat ^ ".t")

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
  | Slice _ -> "Weir_protobuf.Slice.t"
  | Enum name -> enum_type p view name
  | Message name | Delimited name -> message_type p view name

let is_option p m f =
  match f.shape with
  | Explicit -> true
  | Required -> Schema.required_loops p.schema f m
  | Implicit | Repeated | Packed | Repeated_array | Packed_array | Map _ | Case _ -> false

let array_type = function
  | Scalar Double -> "floatarray"
  | Slice Double -> "Weir_protobuf.Arrays.float64s"
  | Scalar Float | Slice Float -> "Weir_protobuf.Arrays.float32s"
  | Scalar (Fixed32 | Sfixed32) | Slice (Fixed32 | Sfixed32) -> "Weir_protobuf.Arrays.int32s"
  | Scalar k | Slice k -> (
      match scalar_type k with "int64" -> "Weir_protobuf.Arrays.int64s" | t -> t ^ " array")
  | Enum _ | Message _ | Delimited _ -> assert false

let field_type p view m f =
  match f.shape with
  | Map (k, v) -> Printf.sprintf "(%s * %s) list" (value_type p view k) (value_type p view v)
  | Repeated | Packed -> value_type p view f.kind ^ " list"
  | Repeated_array | Packed_array -> array_type f.kind
  | Explicit | Required | Implicit | Case _ ->
      value_type p view f.kind ^ if is_option p m f then " option" else ""

(* The last of a message's record: its label, its type, and how it is had from a string and gives
   one. Google's own types keep theirs in sight. *)
type slot = {
  label : string;
  type_ : string;
  of_string : string -> string;
  to_string : string -> string;
}

let slot p (m : message) =
  let shipped = String.starts_with ~prefix:"Weir_protobuf_types." (p.module_of m.home) in
  let elsewhere = m.home <> p.here && shipped in
  match p.unknown with
  | Keep ->
      Some { label = "unknown_fields"; type_ = "string"; of_string = Fun.id; to_string = Fun.id }
  | _ when elsewhere ->
      Some { label = "unknown_fields"; type_ = "string"; of_string = Fun.id; to_string = Fun.id }
  | Drop when m.extensible = [] && not m.message_set -> None
  | Drop | Hidden ->
      Some
        {
          label = "unknown'";
          type_ = "Weir_protobuf.Unknown.t";
          of_string = Printf.sprintf "(Weir_protobuf.Unknown.of_string (%s))";
          to_string = Printf.sprintf "(Weir_protobuf.Unknown.to_string %s)";
        }

let own field flat = field ^ "'" ^ flat
let own_loop field (m : message) (f : field) = own field m.flat ^ "''" ^ f.label

let scalar_name (k : Weir_protobuf.Descriptor.kind) =
  match k with Raw_string -> "raw_string" | k -> Weir_protobuf.Descriptor.scalar_name k

let is_shared f = match f.shape with Map (Scalar _, Scalar _) -> true | _ -> false

let entries field m f =
  match f.shape with
  | Map (Scalar k, Scalar v) -> Printf.sprintf "%s''%s'%s" field (scalar_name k) (scalar_name v)
  | _ -> own_loop field m f

let of_codec codec field = Printf.sprintf "(parts' %s).%s" codec field

let of_message p name field =
  let m = Schema.message p.schema name in
  if m.home = p.here then own field m.flat
  else of_codec (elsewhere p m.home m.modules ^ ".codec") field

let codec p name =
  let m = Schema.message p.schema name in
  if m.home = p.here then own "codec" m.flat else elsewhere p m.home m.modules ^ ".codec"

let reader p name = of_message p name "read"
let writer p name = of_message p name "write"
let default_message p name = of_message p name "default"

let descriptor p name =
  let m = Schema.message p.schema name in
  if m.home <> p.here then of_message p name "descriptor"
  else
    let file = Schema.file p.schema p.here in
    let index = List.find_index (fun (n : message) -> n.full_name = name) file.messages in
    Printf.sprintf "layouts.(%d).descriptor" (Option.get index)

let zero p = function
  | Scalar k -> (
      match scalar_type k with
      | "float" -> "0."
      | "int" -> "0"
      | "int64" -> "0L"
      | "bool" -> "false"
      | _ -> "\"\"")
  | Slice _ -> "Weir_protobuf.Slice.empty"
  | Enum name ->
      let e = Schema.enum p.schema name in
      let _, constructor, _, _ = List.hd e.values in
      enum_module p name ^ "." ^ constructor
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
      | Some x when Float.is_nan x -> "nan"
      | Some x when Float.is_integer x && Float.abs x < 1e15 -> Printf.sprintf "(%.0f.)" x
      | Some x when Float.is_finite x -> Printf.sprintf "(%h)" x
      | Some x -> if x > 0. then "infinity" else "neg_infinity"
      | None -> failwith ("float default " ^ d))

let uint64_literal d =
  match Int64.of_string_opt d with
  | Some v -> Printf.sprintf "(%LdL)" v
  | None -> Printf.sprintf "(%LdL)" (Int64.of_string ("0u" ^ d))

let default p f =
  match (f.default, f.kind) with
  | None, k -> zero p k
  | Some d, Slice k ->
      let d = if k = Bytes then unescape d else d in
      Printf.sprintf "(Weir_protobuf.Slice.of_string %S)" d
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
      enum_module p name ^ "." ^ List.assoc d by_name
  | Some d, (Message _ | Delimited _) -> failwith ("default of a message: " ^ d)
