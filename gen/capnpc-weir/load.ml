open Model
module S = Schema_capnp
module Items = Weir_capnp.Items
module Blob = Weir_capnp.Blob
module Any = Weir_capnp.Any

let structs m l f = Items.structs (fun _ r -> f r) m l
let str m b = Blob.to_string m b

let rec ty m r : ty =
  match S.Type.R.which m r with
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
  | List -> List (ty m (S.Type.List.R.element_type m (S.Type.R.list m r)))
  | Enum -> Enum (S.Type.Enum.R.type_id m (S.Type.R.enum m r))
  | Struct -> Struct (S.Type.Struct.R.type_id m (S.Type.R.struct_ m r))
  | Interface -> Interface (S.Type.Interface.R.type_id m (S.Type.R.interface m r))
  | Any_pointer -> Any
  | Unrecognized n -> failwith (Printf.sprintf "a type of kind %d is newer than this plugin" n)

let value m r : value =
  let open S.Value.R in
  let int v = Number (Int64.of_int v) in
  match which m r with
  | Void | Interface -> Nothing
  | Bool -> int (Bool.to_int (bool m r))
  | Int8 -> int (int8 m r)
  | Int16 -> int (int16 m r)
  | Int32 -> int (int32 m r)
  | Int64 -> Number (int64 m r)
  | Uint8 -> int (uint8 m r)
  | Uint16 -> int (uint16 m r)
  | Uint32 -> int (uint32 m r)
  | Uint64 -> Number (uint64 m r)
  | Float32 -> int (Int32.to_int (Int32.bits_of_float (float32 m r)) land 0xffff_ffff)
  | Float64 -> Number (Int64.bits_of_float (float64 m r))
  | Text -> Bytes (str m (S.Value.R.text m r))
  | Data -> Bytes (str m (data m r))
  | List -> Pointed (Any.detach m (list m r))
  | Enum -> int (enum m r)
  | Struct -> Pointed (Any.detach m (struct_ m r))
  | Any_pointer -> Pointed (Any.detach m (any_pointer m r))
  | Unrecognized _ -> Nothing

let field m docs i r : field =
  let kind =
    match S.Field.R.which m r with
    | Slot ->
        let s = S.Field.R.slot m r in
        let open S.Field.Slot.R in
        Slot
          {
            offset = offset m s;
            ty = ty m (type_ m s);
            default = value m (default_value m s);
            explicit = had_explicit_default m s;
          }
    | Group -> Group (S.Field.Group.R.type_id m (S.Field.R.group m r))
    | Unrecognized n -> failwith (Printf.sprintf "a field of kind %d is newer than this plugin" n)
  in
  let tag = S.Field.R.discriminant_value m r in
  {
    name = str m (S.Field.R.name m r);
    doc = (match List.nth_opt docs i with Some d -> d | None -> "");
    tag = (if tag = 0xffff then None else Some tag);
    kind;
  }

let layout m docs r =
  let open S.Node.Struct.R in
  let coded = structs m (fields m r) (fun f -> S.Field.R.code_order m f) in
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
  let open S.Node.R in
  let doc i = match List.nth_opt docs i with Some d -> d | None -> "" in
  match which m r with
  | File -> File
  | Struct -> Struct_node (layout m docs (struct_ m r))
  | Enum ->
      let names =
        structs m (S.Node.Enum.R.enumerants m (enum m r)) (fun e -> str m (S.Enumerant.R.name m e))
      in
      Enum_node (List.mapi (fun i n -> (n, doc i)) names)
  | Interface ->
      let methods =
        structs m
          (S.Node.Interface.R.methods m (interface m r))
          (fun f ->
            let open S.Method.R in
            (str m (name m f), param_struct_type m f, result_struct_type m f))
      in
      Interface_node
        (List.mapi
           (fun i (method_name, params, results) ->
             { method_name; method_doc = doc i; params; results })
           methods)
  | Const ->
      let c = const m r in
      Const (ty m (S.Node.Const.R.type_ m c), value m (S.Node.Const.R.value m c))
  | Annotation -> Annotation_node
  | Unrecognized n -> failwith (Printf.sprintf "a node of kind %d is newer than this plugin" n)

let request m : t =
  let open S.Code_generator_request.R in
  let root = S.Code_generator_request.root m in
  let docs = Hashtbl.create 64 in
  List.iter
    (fun (id, doc) -> Hashtbl.replace docs id doc)
    (structs m (source_info m root) (fun s ->
         let open S.Node.Source_info.R in
         ( id m s,
           ( str m (doc_comment m s),
             structs m (members m s) (fun x -> str m (S.Node.Source_info.Member.R.doc_comment m x))
           ) )));
  let nodes = Hashtbl.create 64 in
  let add r =
    let open S.Node.R in
    let id = id m r in
    let comment, members = Option.value (Hashtbl.find_opt docs id) ~default:("", []) in
    let display = str m (display_name m r) in
    let from = display_name_prefix_length m r in
    let short =
      (* A file's prefix ends before its suffix, of all places. *)
      if from > String.length display || which m r = S.Node.R.File then display
      else String.sub display from (String.length display - from)
    in
    let nested =
      structs m (nested_nodes m r) (fun n ->
          (str m (S.Node.Nested_node.R.name m n), S.Node.Nested_node.R.id m n))
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
  ignore (structs m (S.Code_generator_request.R.nodes m root) add);
  let files =
    structs m (requested_files m root) (fun f ->
        let open S.Code_generator_request.Requested_file.R in
        {
          file_id = id m f;
          filename = str m (filename m f);
          imports =
            structs m (imports m f) (fun i ->
                let open S.Code_generator_request.Requested_file.Import.R in
                (id m i, str m (name m i)));
        })
  in
  { nodes; files }
