open Schema
open Printf

let special =
  [
    "Any"; "Timestamp"; "Duration"; "FieldMask"; "Struct"; "Value"; "ListValue"; "DoubleValue";
    "FloatValue"; "Int64Value"; "UInt64Value"; "Int32Value"; "UInt32Value"; "BoolValue";
    "StringValue"; "BytesValue";
  ]
[@@ocamlformat "disable"]

let is_special m = List.exists (fun n -> m.full_name = "google.protobuf." ^ n) special
let kinds f = match f.shape with Map (k, v) -> [ k; v ] | _ -> [ f.kind ]

let direct p m =
  let plain_kind = function
    | Enum e -> not (Schema.enum p.Ocaml.schema e).closed
    | Scalar _ | Slice _ | Message _ | Delimited _ -> true
  in
  (not (is_special m))
  && (not m.message_set) && m.extensible = []
  && List.for_all
       (fun f -> f.shape <> Required && List.for_all plain_kind (kinds f))
       (Schema.fields m)

(* Writing *)

let scalar_name (k : Weir_protobuf.Descriptor.kind) =
  match k with
  | Int32 | Sint32 | Sfixed32 -> "int32"
  | Uint32 | Fixed32 -> "uint32"
  | Int64 | Sint64 | Sfixed64 -> "int64"
  | Uint64 | Fixed64 -> "uint64"
  | Bool -> "bool"
  | Float -> "float"
  | Double -> "double"
  | String | Raw_string -> "string"
  | Bytes -> "bytes"
  | Enum _ | Message _ | Delimited _ -> assert false

let json_function p name ~flat ~field =
  let m = Schema.message p.Ocaml.schema name in
  if m.home = p.here then sprintf "%s'%s" flat m.flat else Ocaml.of_codec (Ocaml.codec p name) field

let writer p name = json_function p name ~flat:"to_json" ~field:"to_json"
let reader p name = json_function p name ~flat:"of_json" ~field:"of_json"

let put p kind v =
  match kind with
  | Scalar k -> sprintf "J.%s w %s" (scalar_name k) v
  | Slice k -> sprintf "J.%s w (Weir_protobuf.Slice.to_string %s)" (scalar_name k) v
  | Enum e ->
      let path = Ocaml.enum_module p e in
      sprintf "J.enum w %s.descriptor (%s.to_int %s)" path path v
  | Message m | Delimited m -> sprintf "%s w %s" (writer p m) v

(* A writer to be handed over: a name where there is one. *)
let put_function p kind =
  match kind with
  | Scalar k -> "J." ^ scalar_name k
  | Message m | Delimited m -> writer p m
  | Slice _ | Enum _ -> sprintf "(fun w v -> %s)" (put p kind "v")

let key_function = function
  | Scalar (String | Raw_string) -> "J.string"
  | Scalar k -> sprintf "J.%s_key" (scalar_name k)
  | Slice _ | Enum _ | Message _ | Delimited _ -> assert false

(* [at f] is the field's place in the descriptor. *)
let write_field p o m ~at f =
  let get = "m." ^ f.label in
  let member kind = sprintf "J.%s_member w keys'%s %d" kind m.flat (at f) in
  match f.shape with
  | Repeated | Packed -> Out.line o "%s %s %s;" (member "list") (put_function p f.kind) get
  | Repeated_array | Packed_array ->
      let kind = (Array_field.element f).kind in
      Out.line o "%s %s %s;" (member "list") (put_function p kind) (Array_field.list f get)
  | Map (k, v) -> Out.line o "%s %s %s %s;" (member "map") (key_function k) (put_function p v) get
  | Explicit | Required | Case _ ->
      Out.line o "%s %s %s;" (member "option") (put_function p f.kind) get
  | Implicit -> (
      match f.kind with
      | Scalar k -> Out.line o "%s %s;" (member (scalar_name k)) get
      | Slice k -> Out.line o "%s (Weir_protobuf.Slice.to_string %s);" (member (scalar_name k)) get
      | Enum e ->
          let path = Ocaml.enum_module p e in
          Out.line o "%s %s.descriptor (%s.to_int %s);" (member "enum") path path get
      | Message _ | Delimited _ -> assert false)

let write_oneof p o m ~at n =
  Out.line o "(match m.%s with" n.oneof_label;
  Out.line o "| None -> ()";
  List.iteri
    (fun i f ->
      Out.line o "| Some (%s v) ->" f.label;
      Out.line o "    J.key w keys'%s %d;" m.flat (at f);
      Out.line o "    %s%s" (put p f.kind "v") (if i = List.length n.cases - 1 then ");" else ""))
    n.cases

let places m =
  let by_number = Hashtbl.create 16 in
  List.iteri (fun i (f : field) -> Hashtbl.replace by_number f.number i) (Schema.fields m);
  fun (f : field) -> Hashtbl.find by_number f.number

let emit_keys p o file messages =
  let index = Describe.index file in
  let each m =
    if direct p m then
      Out.line o "let keys'%s = K.make layouts.(%d).descriptor" m.flat (index m.full_name)
  in
  List.iter each messages;
  Out.blank o

let emit_write p o m =
  Out.line o "and to_json'%s w (m : %s) =" m.flat (Ocaml.message_type p Flat m.full_name);
  Out.indented o (fun () ->
      if direct p m then (
        let at = places m in
        Out.line o "let start = J.mark w in";
        List.iter
          (function Field f -> write_field p o m ~at f | Oneof n -> write_oneof p o m ~at n)
          m.members;
        Out.line o "J.close w start")
      else Out.line o "%s w m" (Ocaml.of_codec (Ocaml.own "codec" m.flat) "to_json"));
  Out.blank o

(* Reading *)

let local p label = Locals.name p (if label = "state" then "state'" else label)

(* What reads one value, applied to the reader; an enum's also takes what
   stands for a name that is to be left out. *)
let get_function p kind =
  match kind with
  | Scalar k -> "I." ^ scalar_name k
  | Slice k -> sprintf "(fun r -> I.slice r I.%s)" (scalar_name k)
  | Message m | Delimited m -> reader p m
  | Enum _ -> assert false

let enum_arguments p e =
  let path = Ocaml.enum_module p e in
  sprintf "%s.descriptor %s.of_int" path path

let get_key = function
  | Scalar (String | Raw_string) -> "I.string_key"
  | Scalar k -> sprintf "I.%s_key" (scalar_name k)
  | Slice _ | Enum _ | Message _ | Delimited _ -> assert false

let field_value p m f =
  let name = local p f.label in
  match (f.shape, f.kind) with
  | (Repeated | Packed), Enum e -> sprintf "I.enums r %s" (enum_arguments p e)
  | (Repeated | Packed), kind -> sprintf "I.list r %s" (get_function p kind)
  | (Repeated_array | Packed_array), _ ->
      let kind = (Array_field.element f).kind in
      Array_field.of_list f (sprintf "(I.numbers r %s)" (get_function p kind))
  | Map (k, Enum e), _ -> sprintf "I.enum_map r %s %s" (get_key k) (enum_arguments p e)
  | Map (k, v), _ -> sprintf "I.map r %s %s" (get_key k) (get_function p v)
  | (Implicit | Explicit | Required | Case _), Enum e ->
      let what = if Ocaml.is_option p m f then "enum_option" else "enum" in
      sprintf "I.%s r %s !%s" what (enum_arguments p e) name
  | (Implicit | Explicit | Required | Case _), kind ->
      let v = sprintf "%s r" (get_function p kind) in
      if Ocaml.is_option p m f then sprintf "Some (%s)" v else v

let read_case p o n f =
  let name = local p n.oneof_label in
  let some v = sprintf "%s := Some (%s %s : %s)" name f.label v (Body.oneof_type Flat n) in
  match f.kind with
  | Enum e ->
      Out.line o "Option.iter (fun v -> %s) (I.enum_option r %s None)" (some "v")
        (enum_arguments p e)
  | kind -> Out.line o "%s" (some (sprintf "(%s r)" (get_function p kind)))

let arms p o m =
  let oneof f =
    List.find_map
      (function Oneof n when List.memq f n.cases -> Some n | Oneof _ | Field _ -> None)
      m.members
  in
  let fields = Schema.fields m in
  let last = List.length fields - 1 in
  List.iteri
    (fun i f ->
      Out.line o "| %s ->" (if i = last then "_" else string_of_int i);
      Out.indented o (fun () ->
          Out.indented o (fun () ->
              match oneof f with
              | Some n -> read_case p o n f
              | None -> Out.line o "%s := %s" (local p f.label) (field_value p m f))))
    fields

let locals p o m =
  Locals.define p o (fun p define ->
      let define label value = define (local p label) ("ref " ^ value) in
      List.iter
        (function
          | Oneof n -> define n.oneof_label "None"
          | Field f -> (
              match f.shape with
              | Repeated | Packed | Map _ -> define f.label "[]"
              | Repeated_array | Packed_array -> define f.label (Array_field.empty f)
              | Implicit | Explicit | Required | Case _ ->
                  define f.label (sprintf "default'%s.%s" m.flat f.label)))
        m.members)

let result p o m =
  Out.line o "{";
  List.iter
    (fun member ->
      let label = match member with Oneof n -> n.oneof_label | Field f -> f.label in
      Out.line o "  %s = !%s;" label (local p label))
    m.members;
  Option.iter
    (fun (slot : Ocaml.slot) -> Out.line o "  %s = %s;" slot.label (slot.of_string "\"\""))
    (Ocaml.slot p m);
  Out.line o "}"

let is_small m =
  List.length m.members <= Weir_protobuf.Unsafe.Json_keys.bits
  && List.length (Schema.fields m) < 1 lsl Weir_protobuf.Unsafe.Json_keys.index_bits

let read_members p o m =
  let p = Locals.widened p m in
  let small = is_small m in
  let step name =
    if small then sprintf "I.%s r keys'%s" name m.flat
    else sprintf "I.%s_of_many r keys'%s seen" name m.flat
  in
  locals p o m;
  if not small then Out.line o "let seen = I.seen keys'%s in" m.flat;
  Out.line o "let state = ref (%s) in" (step "first");
  Out.line o "while !state >= 0 do";
  Out.indented o (fun () ->
      if m.members <> [] then (
        Out.line o "(match %s with" (if small then "I.index !state" else "!state");
        arms p o m;
        Out.line o ");");
      Out.line o "state := %s !state" (step "next"));
  Out.line o "done;";
  if Body.has_fields p m then result p o m else Out.line o "()"

let emit_read p o m =
  Out.line o "and of_json'%s r : %s =" m.flat (Ocaml.message_type p Flat m.full_name);
  Out.indented o (fun () ->
      if direct p m then read_members p o m
      else Out.line o "%s r" (Ocaml.of_codec (Ocaml.own "codec" m.flat) "of_json"));
  Out.blank o
