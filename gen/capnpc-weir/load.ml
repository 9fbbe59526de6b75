open Model
module S = Schema
module Items = Weir_capnp.Items
module Blob = Weir_capnp.Blob
module Any = Weir_capnp.Any

let structs m l f = Items.structs (fun _ r -> f r) m l
let str m b = Blob.to_string m b

let rec ty m r : ty =
  match S.Type.kind m r with
  | Void -> Void
  | Bool -> Bool
  | Int8 -> Int8
  | Int16 -> Int16
  | Int32 -> Int32
  | Int64 -> Int64
  | Uint8 -> Uint8
  | Uint16 -> Uint16
  | Uint32 -> Uint32
  | Uint64 -> Uint64
  | Float32 -> Float32
  | Float64 -> Float64
  | Text -> Text
  | Data -> Data
  | List -> List (ty m (S.Type.element_type m r))
  | Enum -> Enum (S.Type.type_id m r)
  | Struct -> Struct (S.Type.type_id m r)
  | Interface -> Interface (S.Type.type_id m r)
  | Any_pointer -> Any
  | Unrecognized n -> failwith (Printf.sprintf "a type of kind %d is newer than this plugin" n)

let value m r : value =
  let open S.Value in
  let int v = Number (Int64.of_int v) in
  match kind m r with
  | Void | Interface -> Nothing
  | Bool -> int (Bool.to_int (bool m r))
  | Int8 -> int (int8 m r)
  | Int16 -> int (int16 m r)
  | Int32 -> int (int32 m r)
  | Int64 -> Number (int64 m r)
  | Uint8 -> int (uint8 m r)
  | Uint16 -> int (uint16 m r)
  | Uint32 -> int (uint32 m r)
  | Uint64 -> Number (int64 m r)
  | Float32 -> int (Int32.to_int (Int32.bits_of_float (float32 m r)) land 0xffff_ffff)
  | Float64 -> Number (Int64.bits_of_float (float64 m r))
  | Text -> Bytes (str m (S.Value.text m r))
  | Data -> Bytes (str m (data m r))
  | Enum -> int (uint16 m r)
  | List | Struct | Any_pointer -> Pointed (Any.detach m (pointer m r))
  | Unrecognized _ -> Nothing

let field m docs i r : field =
  let kind =
    match S.Field.which m r with
    | Slot ->
        Slot
          {
            offset = S.Field.offset m r;
            ty = ty m (S.Field.type_ m r);
            default = value m (S.Field.default_value m r);
            explicit = S.Field.had_explicit_default m r;
          }
    | Group -> Group (S.Field.group_type_id m r)
    | Unrecognized n -> failwith (Printf.sprintf "a field of kind %d is newer than this plugin" n)
  in
  let tag = S.Field.discriminant_value m r in
  {
    name = str m (S.Field.name m r);
    doc = (match List.nth_opt docs i with Some d -> d | None -> "");
    tag = (if tag = 0xffff then None else Some tag);
    kind;
  }

let layout m docs r =
  let open S.Node in
  let coded = structs m (fields m r) (fun f -> S.Field.code_order m f) in
  let all = List.mapi (fun i f -> f i) (structs m (fields m r) (fun f i -> field m docs i f)) in
  (* In the order in which the author wrote them. *)
  let sorted = List.stable_sort (fun (a, _) (b, _) -> compare a b) (List.combine coded all) in
  {
    data = data_word_count m r;
    pointers = pointer_count m r;
    tag_offset = discriminant_offset m r;
    fields = List.map snd sorted;
  }

let body m docs r : body =
  let open S.Node in
  let doc i = match List.nth_opt docs i with Some d -> d | None -> "" in
  match which m r with
  | File -> File
  | Struct -> Struct_node (layout m docs r)
  | Enum ->
      let names = structs m (enumerants m r) (fun e -> str m (S.Enumerant.name m e)) in
      Enum_node (List.mapi (fun i n -> (n, doc i)) names)
  | Interface ->
      let methods =
        structs m (methods m r) (fun f ->
            let open S.Method in
            (str m (name m f), param_struct_type m f, result_struct_type m f))
      in
      Interface_node
        (List.mapi
           (fun i (method_name, params, results) ->
             { method_name; method_doc = doc i; params; results })
           methods)
  | Const -> Const (ty m (const_type m r), value m (const_value m r))
  | Annotation -> Annotation_node
  | Unrecognized n -> failwith (Printf.sprintf "a node of kind %d is newer than this plugin" n)

let request m : t =
  let open S.Request in
  let root = root m in
  let docs = Hashtbl.create 64 in
  List.iter
    (fun (id, doc) -> Hashtbl.replace docs id doc)
    (structs m (source_info m root) (fun s ->
         let open S.Source_info in
         ( id m s,
           ( str m (doc_comment m s),
             structs m (members m s) (fun x -> str m (member_doc_comment m x)) ) )));
  let nodes = Hashtbl.create 64 in
  let add r =
    let open S.Node in
    let id = id m r in
    let comment, members = Option.value (Hashtbl.find_opt docs id) ~default:("", []) in
    let display = str m (display_name m r) in
    let from = display_name_prefix_length m r in
    let short =
      (* A file's prefix ends before its suffix, of all places. *)
      if from > String.length display || which m r = S.Node.File then display
      else String.sub display from (String.length display - from)
    in
    let nested =
      structs m (nested_nodes m r) (fun n -> (str m (S.Nested_node.name m n), S.Nested_node.id m n))
    in
    Hashtbl.replace nodes id
      {
        id;
        short;
        scope = scope_id m r;
        nested;
        comment;
        generic = is_generic m r;
        body = body m members r;
      }
  in
  ignore (structs m (S.Request.nodes m root) add);
  let files =
    structs m (requested_files m root) (fun f ->
        let open S.Requested_file in
        {
          file_id = id m f;
          filename = str m (filename m f);
          imports = structs m (imports m f) (fun i -> (import_id m i, str m (import_name m i)));
        })
  in
  { nodes; files }
