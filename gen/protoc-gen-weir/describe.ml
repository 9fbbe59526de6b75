open Schema
open Printf

let enum o e =
  let number_of c =
    let _, _, n, _ = List.find (fun (_, c', _, _) -> c' = c) e.values in
    n
  in
  let pairs =
    List.map (fun (name, _, n, _) -> (name, n)) e.values
    @ List.map (fun (name, _, c) -> (name, number_of c)) e.aliases
  in
  Out.packed o (fun o ->
      Out.line o "let descriptor = enum %S ~closed:%b [" e.enum_full_name e.closed;
      List.iter (fun (name, n) -> Out.line o "(%S, %d);" name n) pairs;
      Out.line o "]")

let scalar (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Double -> "Double"
  | Float -> "Float"
  | Int32 -> "Int32"
  | Int64 -> "Int64"
  | Uint32 -> "Uint32"
  | Uint64 -> "Uint64"
  | Sint32 -> "Sint32"
  | Sint64 -> "Sint64"
  | Fixed32 -> "Fixed32"
  | Fixed64 -> "Fixed64"
  | Sfixed32 -> "Sfixed32"
  | Sfixed64 -> "Sfixed64"
  | Bool -> "Bool"
  | String -> "String"
  | Bytes -> "Bytes"
  | Raw_string -> "Raw_string"
  | Enum _ | Message _ | Delimited _ -> assert false

let kind p = function
  | Scalar k | Slice k -> scalar k
  | Enum e -> sprintf "Enum %s.descriptor" (Ocaml.enum_module p e)
  | Message m -> sprintf "Message %s" (Ocaml.descriptor p m)
  | Delimited m -> sprintf "Delimited %s" (Ocaml.descriptor p m)

let label f =
  match f.shape with
  | Implicit -> "Implicit"
  | Explicit | Case _ -> "Explicit"
  | Required -> "Required"
  | Repeated | Repeated_array | Map _ -> "Repeated"
  | Packed | Packed_array -> "Packed"

let field p f =
  sprintf
    "{ number = %d; name = %S; json_name = %S; kind = %s; label = %s; oneof = %S; form = Usual }"
    f.number f.name f.json_name (kind p f.kind) (label f) f.oneof_name

(* {!Weir_protobuf.Unsafe.Layout} says what this text is. *)
let escaped s =
  let b = Buffer.create (String.length s) in
  String.iter
    (function
      | ('a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '_' | '.') as c -> Buffer.add_char b c
      | c -> Buffer.add_string b (sprintf "%%%02x" (Char.code c)))
    s;
  Buffer.contents b

(* The enums that fields have, each once. *)
let enums (file : Schema.file) =
  let seen = Hashtbl.create 16 and all = ref [] in
  let add = function
    | Enum e when not (Hashtbl.mem seen e) ->
        Hashtbl.add seen e (Hashtbl.length seen);
        all := e :: !all
    | Enum _ | Scalar _ | Slice _ | Message _ | Delimited _ -> ()
  in
  List.iter (fun m -> List.iter (fun f -> add f.kind) (Schema.fields m)) file.messages;
  (List.rev !all, Hashtbl.find seen)

let kind_text ~enum_index = function
  | Message m -> "message=" ^ m
  | Delimited m -> "group=" ^ m
  | Enum e -> sprintf "enum=%d" (enum_index e)
  | Scalar k | Slice k -> String.lowercase_ascii (scalar k)

(* Where each field is in its message's record. *)
let slots m =
  let table = Hashtbl.create 16 in
  List.iteri
    (fun slot -> function
      | Field f -> Hashtbl.replace table f.number (string_of_int slot)
      | Oneof n ->
          List.iteri
            (fun case (f : field) -> Hashtbl.replace table f.number (sprintf "%d:%d" slot case))
            n.cases)
    m.members;
  fun (f : field) -> Hashtbl.find table f.number

let field_text p m ~enum_index slot f =
  let label = String.lowercase_ascii (label f) in
  let label = if f.shape = Required && Ocaml.is_option p m f then "optional" else label in
  let optional name value = if value = "" then "" else sprintf " %s=%s" name (escaped value) in
  let json = if f.json_name = Json_names.default f.name then "" else f.json_name in
  let form =
    match (f.shape, f.kind) with
    | _, Slice _ -> " slice"
    | (Repeated_array | Packed_array), _ -> " array"
    | _ -> ""
  in
  sprintf "%d %s %s %s %s%s%s%s" f.number (escaped f.name) (kind_text ~enum_index f.kind) label
    (slot f) form (optional "json" json) (optional "oneof" f.oneof_name)

let message p o ~enum_index m =
  Out.packed o (fun o ->
      Out.line o "%s%s%s%s" m.full_name
        (if m.entry then " entry" else "")
        (if m.entry || Ocaml.slot p m <> None then "" else " dropped")
        (if m.message_set then " set" else "");
      List.iter (fun r -> Out.line o "reserved=%s" (escaped r)) m.reserved;
      List.iter (fun (a, z) -> Out.line o "extensible=%d-%d" a z) m.extensible;
      Out.line o ":";
      let fields = Schema.fields m in
      let last = List.length fields - 1 in
      let slot = slots m in
      List.iteri
        (fun i f ->
          Out.line o "%s%s" (field_text p m ~enum_index slot f) (if i = last then "" else ","))
        fields;
      Out.line o ";")

let imports p o (file : Schema.file) =
  Out.packed o (fun o ->
      Out.line o "let imports = [";
      List.iter (fun path -> Out.line o "%s.types;" (Ocaml.file_module p path)) file.imports;
      Out.line o "]")

let messages p o (file : Schema.file) =
  let enums, enum_index = enums file in
  let enums = List.map (fun e -> Ocaml.enum_module p e ^ ".descriptor") enums in
  Out.packed o (fun o ->
      Out.line o "let layouts =";
      Out.line o "Layout.read ~imports ~enums:[";
      List.iter (Out.line o "%s;") enums;
      Out.line o "]");
  Out.line o "  {|";
  List.iter (message p o ~enum_index) file.messages;
  Out.line o "|}";
  Out.blank o

(* The index of each message's layout. *)
let index (file : Schema.file) =
  let table = Hashtbl.create 64 in
  List.iteri (fun i (m : message) -> Hashtbl.replace table m.full_name i) file.messages;
  Hashtbl.find table

let types p o (file : Schema.file) =
  let extensions =
    file.file_extensions @ List.concat_map (fun (m : message) -> m.extensions) file.messages
  in
  (match extensions with
  | [] -> Out.line o "let types = Layout.types ~imports layouts ~extensions:[]"
  | l ->
      Out.line o "let types =";
      Out.line o "  Layout.types ~imports layouts ~extensions:";
      Out.line o "    [";
      List.iter
        (fun x ->
          Out.line o "      { extendee = %S; extension_name = %S; field = %s };" x.extendee
            x.extension_full_name (field p x.field))
        l;
      Out.line o "    ]");
  Out.blank o
