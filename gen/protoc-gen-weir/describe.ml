open Schema
open Printf

let enum o e =
  Out.line o "let descriptor : Desc.enum =";
  Out.indented o (fun () ->
      Out.line o "{";
      Out.indented o (fun () ->
          Out.line o "enum_name = %S;" e.enum_full_name;
          let number_of c =
            let _, _, n, _ = List.find (fun (_, c', _, _) -> c' = c) e.values in
            n
          in
          let pairs =
            List.map (fun (name, _, n, _) -> (name, n)) e.values
            @ List.map (fun (name, _, c) -> (name, number_of c)) e.aliases
          in
          Out.line o "values =";
          Out.line o "  [";
          List.iter (fun (name, n) -> Out.line o "    (%S, %d);" name n) pairs;
          Out.line o "  ];";
          Out.line o "closed = %b;" e.closed);
      Out.line o "}")

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
  | Scalar k -> "Desc." ^ scalar k
  | Enum e -> sprintf "Desc.Enum %s.descriptor" (Ocaml.enum_module p Flat e)
  | Message m -> sprintf "Desc.Message %s" (Ocaml.descriptor p m)
  | Delimited m -> sprintf "Desc.Delimited %s" (Ocaml.descriptor p m)

let label f =
  match f.shape with
  | Implicit -> "Desc.Implicit"
  | Explicit | Case _ -> "Desc.Explicit"
  | Required -> "Desc.Required"
  | Repeated | Map _ -> "Desc.Repeated"
  | Packed -> "Desc.Packed"

let field p f =
  sprintf "{ Desc.number = %d; name = %S; json_name = %S; kind = %s; label = %s; oneof = %S }"
    f.number f.name f.json_name (kind p f.kind) (label f) f.oneof_name

let message p o word m =
  Out.line o "%s %s_descriptor : Desc.message =" word m.flat;
  Out.indented o (fun () ->
      Out.line o "{";
      Out.indented o (fun () ->
          Out.line o "Desc.full_name = %S;" m.full_name;
          Out.line o "fields =";
          Out.line o "  [";
          List.iter (fun f -> Out.line o "    %s;" (field p f)) (Schema.fields m);
          Out.line o "  ];";
          Out.line o "map_entry = %b;" m.entry;
          Out.line o "message_set = %b;" m.message_set;
          Out.line o "reserved = [%s];" (String.concat "; " (List.map (sprintf "%S") m.reserved));
          Out.line o "extensible = [%s];"
            (String.concat "; " (List.map (fun (a, z) -> sprintf "(%d, %d)" a z) m.extensible)));
      Out.line o "}");
  Out.blank o

let messages p o ms = List.iteri (fun i m -> message p o (if i = 0 then "let rec" else "and") m) ms

let types p o (file : Schema.file) =
  let imports = List.map (fun path -> p.Ocaml.module_of path ^ ".types") file.imports in
  let visible = List.filter (fun m -> not m.entry) file.messages in
  let extensions =
    file.file_extensions @ List.concat_map (fun (m : message) -> m.extensions) file.messages
  in
  Out.line o "let types =";
  Out.indented o (fun () ->
      Out.line o "Weir_protobuf.Registry.make";
      Out.line o "  ~imports:[ %s ]" (String.concat "; " imports);
      Out.line o "  ~messages:[ %s ]"
        (String.concat "; " (List.map (fun m -> m.flat ^ "_descriptor") visible));
      Out.line o "  ~extensions:";
      Out.line o "    [";
      List.iter
        (fun x ->
          Out.line o "      { extendee = %S; extension_name = %S; field = %s };" x.extendee
            x.extension_full_name (field p x.field))
        extensions;
      Out.line o "    ]");
  Out.blank o
