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
  | Scalar k -> scalar k
  | Enum e -> sprintf "Enum %s.descriptor" (Ocaml.enum_module p e)
  | Message m -> sprintf "Message %s" (Ocaml.descriptor p m)
  | Delimited m -> sprintf "Delimited %s" (Ocaml.descriptor p m)

let label f =
  match f.shape with
  | Implicit -> "Implicit"
  | Explicit | Case _ -> "Explicit"
  | Required -> "Required"
  | Repeated | Map _ -> "Repeated"
  | Packed -> "Packed"

let field p f =
  sprintf "{ number = %d; name = %S; json_name = %S; kind = %s; label = %s; oneof = %S }" f.number
    f.name f.json_name (kind p f.kind) (label f) f.oneof_name

let plain_kind p = function
  | Message m -> sprintf "Message %S" m
  | Delimited m -> sprintf "Delimited %S" m
  | Enum e -> sprintf "Value (Enum %s.descriptor)" (Ocaml.enum_module p e)
  | Scalar k -> "Value " ^ scalar k

let plain_field p f =
  sprintf "{ number = %d; name = %S; json_name = %S; kind = %s; label = %s; oneof = %S }" f.number
    f.name f.json_name (plain_kind p f.kind) (label f) f.oneof_name

let message p o m =
  Out.line o "{";
  Out.indented o (fun () ->
      Out.line o "full_name = %S;" m.full_name;
      Out.line o "fields =";
      Out.line o "  [";
      List.iter (fun f -> Out.line o "    %s;" (plain_field p f)) (Schema.fields m);
      Out.line o "  ];";
      Out.line o "map_entry = %b;" m.entry;
      Out.line o "message_set = %b;" m.message_set;
      Out.line o "reserved = [%s];" (String.concat "; " (List.map (sprintf "%S") m.reserved));
      Out.line o "extensible = [%s];"
        (String.concat "; " (List.map (fun (a, z) -> sprintf "(%d, %d)" a z) m.extensible)));
  Out.line o "};"

let imports p o (file : Schema.file) =
  (match List.map (fun path -> Ocaml.file_module p path ^ ".types") file.imports with
  | [] -> Out.line o "let imports = []"
  | l ->
      let l = String.concat "; " l in
      Out.line o "let imports : Weir_protobuf.Registry.t list = [ %s ]" l);
  Out.blank o

let messages p o (file : Schema.file) =
  Out.line o "let layout : Weir_protobuf.Layout.message list =";
  Out.line o "  [";
  Out.indented o (fun () -> Out.indented o (fun () -> List.iter (message p o) file.messages));
  Out.line o "  ]";
  Out.blank o;
  Out.line o "let descriptors = Weir_protobuf.Layout.link ~imports layout";
  List.iteri (fun i m -> Out.line o "let descriptor'%s = descriptors.(%d)" m.flat i) file.messages;
  Out.blank o

let types p o (file : Schema.file) =
  let extensions =
    file.file_extensions @ List.concat_map (fun (m : message) -> m.extensions) file.messages
  in
  (match extensions with
  | [] -> Out.line o "let types = Weir_protobuf.Layout.types ~imports descriptors ~extensions:[]"
  | l ->
      Out.line o "let types =";
      Out.line o "  Weir_protobuf.Layout.types ~imports descriptors";
      Out.line o "    ~extensions:";
      Out.line o "      [";
      List.iter
        (fun x ->
          Out.line o "        { extendee = %S; extension_name = %S; field = %s };" x.extendee
            x.extension_full_name (field p x.field))
        l;
      Out.line o "      ]");
  Out.blank o
