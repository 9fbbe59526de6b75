(* What the plugin reads of a request by positions written by hand ([Capnpc_weir.Schema]), and what the
   code that it generates for schema.capnp reads there. *)

open Weir_capnp
module S = Capnpc_weir.Schema
module G = Capnp_corpus.Schema_capnp

let same what ours theirs = if ours <> theirs then Alcotest.failf "%s differs" what

(* Both have the struct at the same place. *)
let struct_ what f m ours theirs =
  same what (Reader.cast ours) theirs;
  f m ours theirs

let each what f m ours theirs =
  same what (Items.length ours) (Items.length theirs);
  for i = 0 to Items.length ours - 1 do
    struct_ what f m (Items.struct_ m ours i) (Items.struct_ m theirs i)
  done

let kind : G.Type.R.which -> S.kind = function
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
  | List -> List
  | Enum -> Enum
  | Struct -> Struct
  | Interface -> Interface
  | Any_pointer -> Any_pointer
  | Unrecognized n -> Unrecognized n

let rec type_ m s g =
  same "type" (S.Type.kind m s) (kind (G.Type.R.which m g));
  match G.Type.R.which m g with
  | List ->
      let theirs = G.Type.List.R.element_type m (G.Type.R.list m g) in
      struct_ "element" type_ m (S.Type.element_type m s) theirs
  | Enum -> same "enum" (S.Type.type_id m s) (G.Type.Enum.R.type_id m (G.Type.R.enum m g))
  | Struct -> same "struct" (S.Type.type_id m s) (G.Type.Struct.R.type_id m (G.Type.R.struct_ m g))
  | Interface ->
      let theirs = G.Type.Interface.R.type_id m (G.Type.R.interface m g) in
      same "interface" (S.Type.type_id m s) theirs
  | _ -> ()

let value m s g =
  let open S.Value in
  let module R = G.Value.R in
  let kind = kind m s in
  let check theirs ours = same "value" (ours m s) (theirs m g) in
  match R.which m g with
  | Void -> same "kind" kind Void
  | Bool ->
      same "kind" kind Bool;
      check R.bool bool
  | Int8 ->
      same "kind" kind Int8;
      check R.int8 int8
  | Int16 ->
      same "kind" kind Int16;
      check R.int16 int16
  | Int32 ->
      same "kind" kind Int32;
      check R.int32 int32
  | Int64 ->
      same "kind" kind Int64;
      check R.int64 int64
  | Uint8 ->
      same "kind" kind Uint8;
      check R.uint8 uint8
  | Uint16 ->
      same "kind" kind Uint16;
      check R.uint16 uint16
  | Uint32 ->
      same "kind" kind Uint32;
      check R.uint32 uint32
  | Uint64 ->
      same "kind" kind Uint64;
      check R.uint64 int64
  | Float32 ->
      same "kind" kind Float32;
      check R.float32 float32
  | Float64 ->
      same "kind" kind Float64;
      check R.float64 float64
  | Text ->
      same "kind" kind Text;
      check R.text text
  | Data ->
      same "kind" kind Data;
      check R.data data
  | List ->
      same "kind" kind List;
      check R.list pointer
  | Enum ->
      same "kind" kind Enum;
      check R.enum uint16
  | Struct ->
      same "kind" kind Struct;
      check R.struct_ pointer
  | Interface -> same "kind" kind Interface
  | Any_pointer ->
      same "kind" kind Any_pointer;
      check R.any_pointer pointer
  | Unrecognized n -> same "kind" kind (Unrecognized n)

let field m s g =
  let module R = G.Field.R in
  same "name" (S.Field.name m s) (R.name m g);
  same "order" (S.Field.code_order m s) (R.code_order m g);
  same "discriminant" (S.Field.discriminant_value m s) (R.discriminant_value m g);
  match (S.Field.which m s, R.which m g) with
  | Slot, Slot ->
      let module L = G.Field.Slot.R in
      let l = R.slot m g in
      same "offset" (S.Field.offset m s) (L.offset m l);
      same "explicit" (S.Field.had_explicit_default m s) (L.had_explicit_default m l);
      struct_ "type" type_ m (S.Field.type_ m s) (L.type_ m l);
      struct_ "default" value m (S.Field.default_value m s) (L.default_value m l)
  | Group, Group ->
      same "group" (S.Field.group_type_id m s) (G.Field.Group.R.type_id m (R.group m g))
  | _ -> Alcotest.fail "a slot or a group"

let enumerant m s g = same "enumerant" (S.Enumerant.name m s) (G.Enumerant.R.name m g)

let method_ m s g =
  let module R = G.Method.R in
  same "method" (S.Method.name m s) (R.name m g);
  same "parameters" (S.Method.param_struct_type m s) (R.param_struct_type m g);
  same "results" (S.Method.result_struct_type m s) (R.result_struct_type m g)

let nested m s g =
  same "nested name" (S.Nested_node.name m s) (G.Node.Nested_node.R.name m g);
  same "nested id" (S.Nested_node.id m s) (G.Node.Nested_node.R.id m g)

let body m s g =
  let module R = G.Node.R in
  match (S.Node.which m s, R.which m g) with
  | File, File | Annotation, Annotation -> ()
  | Struct, Struct ->
      let module L = G.Node.Struct.R in
      let l = R.struct_ m g in
      same "words" (S.Node.data_word_count m s) (L.data_word_count m l);
      same "pointers" (S.Node.pointer_count m s) (L.pointer_count m l);
      same "tag" (S.Node.discriminant_offset m s) (L.discriminant_offset m l);
      each "fields" field m (S.Node.fields m s) (L.fields m l)
  | Enum, Enum ->
      each "enumerants" enumerant m (S.Node.enumerants m s)
        (G.Node.Enum.R.enumerants m (R.enum m g))
  | Interface, Interface ->
      each "methods" method_ m (S.Node.methods m s) (G.Node.Interface.R.methods m (R.interface m g))
  | Const, Const ->
      let c = R.const m g in
      struct_ "type" type_ m (S.Node.const_type m s) (G.Node.Const.R.type_ m c);
      struct_ "value" value m (S.Node.const_value m s) (G.Node.Const.R.value m c)
  | _ -> Alcotest.fail "nodes of different kinds"

let node m s g =
  let module R = G.Node.R in
  same "id" (S.Node.id m s) (R.id m g);
  same "display name" (S.Node.display_name m s) (R.display_name m g);
  same "prefix" (S.Node.display_name_prefix_length m s) (R.display_name_prefix_length m g);
  same "scope" (S.Node.scope_id m s) (R.scope_id m g);
  same "generic" (S.Node.is_generic m s) (R.is_generic m g);
  each "nested" nested m (S.Node.nested_nodes m s) (R.nested_nodes m g);
  body m s g

let member m s g =
  same "comment"
    (S.Source_info.member_doc_comment m s)
    (G.Node.Source_info.Member.R.doc_comment m g)

let info m s g =
  let module R = G.Node.Source_info.R in
  same "commented" (S.Source_info.id m s) (R.id m g);
  same "comment" (S.Source_info.doc_comment m s) (R.doc_comment m g);
  each "members" member m (S.Source_info.members m s) (R.members m g)

let import m s g =
  let module R = G.Code_generator_request.Requested_file.Import.R in
  same "import" (S.Requested_file.import_id m s) (R.id m g);
  same "imported name" (S.Requested_file.import_name m s) (R.name m g)

let file m s g =
  let module R = G.Code_generator_request.Requested_file.R in
  same "file" (S.Requested_file.id m s) (R.id m g);
  same "file name" (S.Requested_file.filename m s) (R.filename m g);
  each "imports" import m (S.Requested_file.imports m s) (R.imports m g)

let check m =
  let module R = G.Code_generator_request.R in
  let s = S.Request.root m and g = G.Code_generator_request.root m in
  each "nodes" node m (S.Request.nodes m s) (R.nodes m g);
  each "source info" info m (S.Request.source_info m s) (R.source_info m g);
  each "files" file m (S.Request.requested_files m s) (R.requested_files m g)
