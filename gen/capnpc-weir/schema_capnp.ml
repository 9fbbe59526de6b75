(* Made by capnpc-weir from schema.capnp; do not edit. *)

[@@@ocaml.warning "-a"]

module Capnp = Weir_capnp

type node = {
  id : int64;
  display_name : string;
  display_name_prefix_length : int;
  scope_id : int64;
  parameters : node_parameter list;
  is_generic : bool;
  nested_nodes : node_nested_node list;
  annotations : annotation list;
  which : node_which;
}

and node_which =
  | File
  | Struct of node_struct
  | Enum of node_enum
  | Interface of node_interface
  | Const of node_const
  | Annotation of node_annotation
  | Unrecognized of int

and node_parameter = {
  name : string;
}

and node_nested_node = {
  name : string;
  id : int64;
}

and node_source_info = {
  id : int64;
  doc_comment : string;
  members : node_source_info_member list;
}

and node_source_info_member = {
  doc_comment : string;
}

and node_struct = {
  data_word_count : int;
  pointer_count : int;
  preferred_list_encoding : element_size;
  is_group : bool;
  discriminant_count : int;
  discriminant_offset : int;
  fields : field list;
}

and node_enum = {
  enumerants : enumerant list;
}

and node_interface = {
  methods : method_ list;
  superclasses : superclass list;
}

and node_const = {
  type_ : type_ option;
  value : value option;
}

and node_annotation = {
  type_ : type_ option;
  targets_file : bool;
  targets_const : bool;
  targets_enum : bool;
  targets_enumerant : bool;
  targets_struct : bool;
  targets_field : bool;
  targets_union : bool;
  targets_group : bool;
  targets_interface : bool;
  targets_method : bool;
  targets_param : bool;
  targets_annotation : bool;
}

and field = {
  name : string;
  code_order : int;
  annotations : annotation list;
  discriminant_value : int;
  ordinal : field_ordinal;
  which : field_which;
}

and field_which =
  | Slot of field_slot
  | Group of field_group
  | Unrecognized of int

and field_slot = {
  offset : int;
  type_ : type_ option;
  default_value : value option;
  had_explicit_default : bool;
}

and field_group = {
  type_id : int64;
}

and field_ordinal = 
  | Implicit
  | Explicit of int
  | Unrecognized of int

and enumerant = {
  name : string;
  code_order : int;
  annotations : annotation list;
}

and superclass = {
  id : int64;
  brand : brand option;
}

and method_ = {
  name : string;
  code_order : int;
  implicit_parameters : node_parameter list;
  param_struct_type : int64;
  param_brand : brand option;
  result_struct_type : int64;
  result_brand : brand option;
  annotations : annotation list;
}

and type_ = 
  | Void
  | Bool
  | Int8
  | Int16
  | Int32
  | Int64
  | Uint8
  | Uint16
  | Uint32
  | Uint64
  | Float32
  | Float64
  | Text
  | Data
  | List of type_list
  | Enum of type_enum
  | Struct of type_struct
  | Interface of type_interface
  | Any_pointer of type_any_pointer
  | Unrecognized of int

and type_list = {
  element_type : type_ option;
}

and type_enum = {
  type_id : int64;
  brand : brand option;
}

and type_struct = {
  type_id : int64;
  brand : brand option;
}

and type_interface = {
  type_id : int64;
  brand : brand option;
}

and type_any_pointer = 
  | Unconstrained of type_any_pointer_unconstrained
  | Parameter of type_any_pointer_parameter
  | Implicit_method_parameter of type_any_pointer_implicit_method_parameter
  | Unrecognized of int

and type_any_pointer_unconstrained = 
  | Any_kind
  | Struct
  | List
  | Capability
  | Unrecognized of int

and type_any_pointer_parameter = {
  scope_id : int64;
  parameter_index : int;
}

and type_any_pointer_implicit_method_parameter = {
  parameter_index : int;
}

and brand = {
  scopes : brand_scope list;
}

and brand_scope = {
  scope_id : int64;
  which : brand_scope_which;
}

and brand_scope_which =
  | Bind of brand_binding list
  | Inherit
  | Unrecognized of int

and brand_binding = 
  | Unbound
  | Type of type_ option
  | Unrecognized of int

and value = 
  | Void
  | Bool of bool
  | Int8 of int
  | Int16 of int
  | Int32 of int
  | Int64 of int64
  | Uint8 of int
  | Uint16 of int
  | Uint32 of int
  | Uint64 of int64
  | Float32 of float
  | Float64 of float
  | Text of string
  | Data of string
  | List of Capnp.Any.detached
  | Enum of int
  | Struct of Capnp.Any.detached
  | Interface
  | Any_pointer of Capnp.Any.detached
  | Unrecognized of int

and annotation = {
  id : int64;
  brand : brand option;
  value : value option;
}

and element_size =
  | Empty
  | Bit
  | Byte
  | Two_bytes
  | Four_bytes
  | Eight_bytes
  | Pointer
  | Inline_composite
  | Unrecognized of int

and capnp_version = {
  major : int;
  minor : int;
  micro : int;
}

and code_generator_request = {
  capnp_version : capnp_version option;
  nodes : node list;
  source_info : node_source_info list;
  requested_files : code_generator_request_requested_file list;
}

and code_generator_request_requested_file = {
  id : int64;
  filename : string;
  imports : code_generator_request_requested_file_import list;
}

and code_generator_request_requested_file_import = {
  id : int64;
  name : string;
}

let element_size_of_int : int -> element_size = function
  | 0 -> Empty
  | 1 -> Bit
  | 2 -> Byte
  | 3 -> Two_bytes
  | 4 -> Four_bytes
  | 5 -> Eight_bytes
  | 6 -> Pointer
  | 7 -> Inline_composite
  | n -> Unrecognized n

let element_size_to_int : element_size -> int = function
  | Empty -> 0
  | Bit -> 1
  | Byte -> 2
  | Two_bytes -> 3
  | Four_bytes -> 4
  | Eight_bytes -> 5
  | Pointer -> 6
  | Inline_composite -> 7
  | Unrecognized n -> n

let rec read_node m (r : node Capnp.Reader.t) : node =
  Capnp.Reader.spend m r 16;
  let d = Capnp.Reader.Unsafe.data_of m r 37 in
  {
    id = Capnp.Reader.Unsafe.int64_at m r d 0;
    display_name = Capnp.Reader.string m r 0;
    display_name_prefix_length = Capnp.Reader.Unsafe.uint32_at m r d 8;
    scope_id = Capnp.Reader.Unsafe.int64_at m r d 16;
    parameters = list_node_parameter m (Capnp.Reader.list m r 5 Capnp.Kind.struct_);
    is_generic = Capnp.Reader.Unsafe.bool_at m r d 288;
    nested_nodes = list_node_nested_node m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
    annotations = list_annotation m (Capnp.Reader.list m r 2 Capnp.Kind.struct_);
    which = read_node_which m r;
  }

and size_node (v : node) =
  Capnp.Size.text v.display_name
  + room_node_parameter v.parameters
  + room_node_nested_node v.nested_nodes
  + room_annotation v.annotations
  + size_node_which v.which

and write_node buf at (v : node) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 24) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 32) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 64) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 72) 0L;
  Capnp.Unsafe.Put.uint8 buf (at + 36) (Capnp.Unsafe.Put.bit v.is_generic 0);
  Capnp.Unsafe.Put.int64 buf at v.id;
  let next = Capnp.Unsafe.Put.text buf (at + 40) v.display_name next in
  Capnp.Unsafe.Put.uint32 buf (at + 8) v.display_name_prefix_length;
  Capnp.Unsafe.Put.int64 buf (at + 16) v.scope_id;
  let next = put_node_parameter buf (at + 80) v.parameters next in
  let next = put_node_nested_node buf (at + 48) v.nested_nodes next in
  let next = put_annotation buf (at + 56) v.annotations next in
  write_node_which buf at v.which next

and read_node_which m (r : node Capnp.Reader.t) : node_which =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 12 with
  | 0 -> File
  | 1 -> Struct (read_node_struct m (Capnp.Reader.cast r))
  | 2 -> Enum (read_node_enum m (Capnp.Reader.cast r))
  | 3 -> Interface (read_node_interface m (Capnp.Reader.cast r))
  | 4 -> Const (read_node_const m (Capnp.Reader.cast r))
  | 5 -> Annotation (read_node_annotation m (Capnp.Reader.cast r))
  | n -> Unrecognized n

and size_node_which (v : node_which) =
  match v with
  | Struct x -> size_node_struct x
  | Enum x -> size_node_enum x
  | Interface x -> size_node_interface x
  | Const x -> size_node_const x
  | Annotation x -> size_node_annotation x
  | _ -> 0

and write_node_which buf at (v : node_which) next =
  match v with
  | File ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 0;
      next
  | Struct x ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 1;
      write_node_struct buf at x next
  | Enum x ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 2;
      write_node_enum buf at x next
  | Interface x ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 3;
      write_node_interface buf at x next
  | Const x ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 4;
      write_node_const buf at x next
  | Annotation x ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) 5;
      write_node_annotation buf at x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 12) n;
      next

and list_node m (l : node Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_node m l
  else
    let r = Capnp.Items.last m l in
    gather_node m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_node m r step n acc =
  if n = 0 then acc
  else
    let v = read_node m r in
    gather_node m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_node buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_node buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 5 6 buf at next)

and fill_node buf at l next =
  match l with
  | [] -> next
  | (v : node) :: rest -> fill_node buf (at + 88) rest (write_node buf at v next)

and room_node l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_node 8 l)

and sum_node total l =
  match l with
  | [] -> total
  | (v : node) :: rest -> sum_node (total + 88 + size_node v) rest

and read_node_parameter m (r : node_parameter Capnp.Reader.t) : node_parameter =
  Capnp.Reader.spend m r 2;
  {
    name = Capnp.Reader.string m r 0;
  }

and size_node_parameter (v : node_parameter) =
  Capnp.Size.text v.name

and write_node_parameter buf at (v : node_parameter) next =
  Capnp.Unsafe.Put.text buf at v.name next

and list_node_parameter m (l : node_parameter Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_node_parameter m l
  else
    let r = Capnp.Items.last m l in
    gather_node_parameter m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_node_parameter m r step n acc =
  if n = 0 then acc
  else
    let v = read_node_parameter m r in
    gather_node_parameter m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_node_parameter buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_node_parameter buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 0 1 buf at next)

and fill_node_parameter buf at l next =
  match l with
  | [] -> next
  | (v : node_parameter) :: rest ->
      fill_node_parameter buf (at + 8) rest (write_node_parameter buf at v next)

and room_node_parameter l =
  match l with [] -> 0 | l -> Capnp.Size.checked l (sum_node_parameter 8 l)

and sum_node_parameter total l =
  match l with
  | [] -> total
  | (v : node_parameter) :: rest -> sum_node_parameter (total + 8 + size_node_parameter v) rest

and read_node_nested_node m (r : node_nested_node Capnp.Reader.t) : node_nested_node =
  Capnp.Reader.spend m r 6;
  {
    name = Capnp.Reader.string m r 0;
    id = Capnp.Reader.int64 m r 0;
  }

and size_node_nested_node (v : node_nested_node) =
  Capnp.Size.text v.name

and write_node_nested_node buf at (v : node_nested_node) next =
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.name next in
  Capnp.Unsafe.Put.int64 buf at v.id;
  next

and list_node_nested_node m (l : node_nested_node Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_node_nested_node m l
  else
    let r = Capnp.Items.last m l in
    gather_node_nested_node m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_node_nested_node m r step n acc =
  if n = 0 then acc
  else
    let v = read_node_nested_node m r in
    gather_node_nested_node m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_node_nested_node buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_node_nested_node buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 1 buf at next)

and fill_node_nested_node buf at l next =
  match l with
  | [] -> next
  | (v : node_nested_node) :: rest ->
      fill_node_nested_node buf (at + 16) rest (write_node_nested_node buf at v next)

and room_node_nested_node l =
  match l with [] -> 0 | l -> Capnp.Size.checked l (sum_node_nested_node 8 l)

and sum_node_nested_node total l =
  match l with
  | [] -> total
  | (v : node_nested_node) :: rest ->
      sum_node_nested_node (total + 16 + size_node_nested_node v) rest

and read_node_source_info m (r : node_source_info Capnp.Reader.t) : node_source_info =
  Capnp.Reader.spend m r 7;
  {
    id = Capnp.Reader.int64 m r 0;
    doc_comment = Capnp.Reader.string m r 0;
    members = list_node_source_info_member m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
  }

and size_node_source_info (v : node_source_info) =
  Capnp.Size.text v.doc_comment
  + room_node_source_info_member v.members

and write_node_source_info buf at (v : node_source_info) next =
  Capnp.Unsafe.Put.int64 buf at v.id;
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.doc_comment next in
  put_node_source_info_member buf (at + 16) v.members next

and list_node_source_info m (l : node_source_info Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_node_source_info m l
  else
    let r = Capnp.Items.last m l in
    gather_node_source_info m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_node_source_info m r step n acc =
  if n = 0 then acc
  else
    let v = read_node_source_info m r in
    gather_node_source_info m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_node_source_info buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_node_source_info buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 2 buf at next)

and fill_node_source_info buf at l next =
  match l with
  | [] -> next
  | (v : node_source_info) :: rest ->
      fill_node_source_info buf (at + 24) rest (write_node_source_info buf at v next)

and room_node_source_info l =
  match l with [] -> 0 | l -> Capnp.Size.checked l (sum_node_source_info 8 l)

and sum_node_source_info total l =
  match l with
  | [] -> total
  | (v : node_source_info) :: rest ->
      sum_node_source_info (total + 24 + size_node_source_info v) rest

and read_node_source_info_member m (r : node_source_info_member Capnp.Reader.t) :
  node_source_info_member =
  Capnp.Reader.spend m r 2;
  {
    doc_comment = Capnp.Reader.string m r 0;
  }

and size_node_source_info_member (v : node_source_info_member) =
  Capnp.Size.text v.doc_comment

and write_node_source_info_member buf at (v : node_source_info_member) next =
  Capnp.Unsafe.Put.text buf at v.doc_comment next

and list_node_source_info_member m (l : node_source_info_member Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_node_source_info_member m l
  else
    let r = Capnp.Items.last m l in
    gather_node_source_info_member m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_node_source_info_member m r step n acc =
  if n = 0 then acc
  else
    let v = read_node_source_info_member m r in
    gather_node_source_info_member m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_node_source_info_member buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_node_source_info_member buf (next + 8) l
        (Capnp.Unsafe.Put.start_structs n 0 1 buf at next)

and fill_node_source_info_member buf at l next =
  match l with
  | [] -> next
  | (v : node_source_info_member) :: rest ->
      fill_node_source_info_member buf (at + 8) rest (write_node_source_info_member buf at v next)

and room_node_source_info_member l =
  match l with [] -> 0 | l -> Capnp.Size.checked l (sum_node_source_info_member 8 l)

and sum_node_source_info_member total l =
  match l with
  | [] -> total
  | (v : node_source_info_member) :: rest ->
      sum_node_source_info_member (total + 8 + size_node_source_info_member v) rest

and read_node_struct m (r : node_struct Capnp.Reader.t) : node_struct =
  Capnp.Reader.spend m r 10;
  let d = Capnp.Reader.Unsafe.data_of m r 36 in
  {
    data_word_count = Capnp.Reader.Unsafe.uint16_at m r d 14;
    pointer_count = Capnp.Reader.Unsafe.uint16_at m r d 24;
    preferred_list_encoding = element_size_of_int (Capnp.Reader.Unsafe.uint16_at m r d 26);
    is_group = Capnp.Reader.Unsafe.bool_at m r d 224;
    discriminant_count = Capnp.Reader.Unsafe.uint16_at m r d 30;
    discriminant_offset = Capnp.Reader.Unsafe.uint32_at m r d 32;
    fields = list_field m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
  }

and size_node_struct (v : node_struct) =
  room_field v.fields

and write_node_struct buf at (v : node_struct) next =
  Capnp.Unsafe.Put.uint16 buf (at + 14) v.data_word_count;
  Capnp.Unsafe.Put.uint16 buf (at + 24) v.pointer_count;
  Capnp.Unsafe.Put.uint16 buf (at + 26) (element_size_to_int v.preferred_list_encoding);
  Capnp.Unsafe.Put.bool buf (at + 28) 0 v.is_group;
  Capnp.Unsafe.Put.uint16 buf (at + 30) v.discriminant_count;
  Capnp.Unsafe.Put.uint32 buf (at + 32) v.discriminant_offset;
  put_field buf (at + 64) v.fields next

and read_node_enum m (r : node_enum Capnp.Reader.t) : node_enum =
  Capnp.Reader.spend m r 2;
  {
    enumerants = list_enumerant m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
  }

and size_node_enum (v : node_enum) =
  room_enumerant v.enumerants

and write_node_enum buf at (v : node_enum) next =
  put_enumerant buf (at + 64) v.enumerants next

and read_node_interface m (r : node_interface Capnp.Reader.t) : node_interface =
  Capnp.Reader.spend m r 3;
  {
    methods = list_method_ m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
    superclasses = list_superclass m (Capnp.Reader.list m r 4 Capnp.Kind.struct_);
  }

and size_node_interface (v : node_interface) =
  room_method_ v.methods
  + room_superclass v.superclasses

and write_node_interface buf at (v : node_interface) next =
  let next = put_method_ buf (at + 64) v.methods next in
  put_superclass buf (at + 72) v.superclasses next

and read_node_const m (r : node_const Capnp.Reader.t) : node_const =
  Capnp.Reader.spend m r 3;
  {
    type_ = Capnp.Reader.optional m r 3 read_type_;
    value = Capnp.Reader.optional m r 4 read_value;
  }

and size_node_const (v : node_const) =
  Capnp.Size.optional size_type_ 32 v.type_
  + Capnp.Size.optional size_value 24 v.value

and write_node_const buf at (v : node_const) next =
  let next = Capnp.Unsafe.Put.optional write_type_ 3 1 buf (at + 64) v.type_ next in
  Capnp.Unsafe.Put.optional write_value 2 1 buf (at + 72) v.value next

and read_node_annotation m (r : node_annotation Capnp.Reader.t) : node_annotation =
  Capnp.Reader.spend m r 14;
  let d = Capnp.Reader.Unsafe.data_of m r 16 in
  {
    type_ = Capnp.Reader.optional m r 3 read_type_;
    targets_file = Capnp.Reader.Unsafe.bool_at m r d 112;
    targets_const = Capnp.Reader.Unsafe.bool_at m r d 113;
    targets_enum = Capnp.Reader.Unsafe.bool_at m r d 114;
    targets_enumerant = Capnp.Reader.Unsafe.bool_at m r d 115;
    targets_struct = Capnp.Reader.Unsafe.bool_at m r d 116;
    targets_field = Capnp.Reader.Unsafe.bool_at m r d 117;
    targets_union = Capnp.Reader.Unsafe.bool_at m r d 118;
    targets_group = Capnp.Reader.Unsafe.bool_at m r d 119;
    targets_interface = Capnp.Reader.Unsafe.bool_at m r d 120;
    targets_method = Capnp.Reader.Unsafe.bool_at m r d 121;
    targets_param = Capnp.Reader.Unsafe.bool_at m r d 122;
    targets_annotation = Capnp.Reader.Unsafe.bool_at m r d 123;
  }

and size_node_annotation (v : node_annotation) =
  Capnp.Size.optional size_type_ 32 v.type_

and write_node_annotation buf at (v : node_annotation) next =
  let next = Capnp.Unsafe.Put.optional write_type_ 3 1 buf (at + 64) v.type_ next in
  Capnp.Unsafe.Put.bool buf (at + 14) 0 v.targets_file;
  Capnp.Unsafe.Put.bool buf (at + 14) 1 v.targets_const;
  Capnp.Unsafe.Put.bool buf (at + 14) 2 v.targets_enum;
  Capnp.Unsafe.Put.bool buf (at + 14) 3 v.targets_enumerant;
  Capnp.Unsafe.Put.bool buf (at + 14) 4 v.targets_struct;
  Capnp.Unsafe.Put.bool buf (at + 14) 5 v.targets_field;
  Capnp.Unsafe.Put.bool buf (at + 14) 6 v.targets_union;
  Capnp.Unsafe.Put.bool buf (at + 14) 7 v.targets_group;
  Capnp.Unsafe.Put.bool buf (at + 15) 0 v.targets_interface;
  Capnp.Unsafe.Put.bool buf (at + 15) 1 v.targets_method;
  Capnp.Unsafe.Put.bool buf (at + 15) 2 v.targets_param;
  Capnp.Unsafe.Put.bool buf (at + 15) 3 v.targets_annotation;
  next

and read_field m (r : field Capnp.Reader.t) : field =
  Capnp.Reader.spend m r 7;
  let d = Capnp.Reader.Unsafe.data_of m r 4 in
  {
    name = Capnp.Reader.string m r 0;
    code_order = Capnp.Reader.Unsafe.uint16_at m r d 0;
    annotations = list_annotation m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
    discriminant_value = Capnp.Reader.Unsafe.uint16_at m r d 2 lxor 0xffff;
    ordinal = read_field_ordinal m (Capnp.Reader.cast r);
    which = read_field_which m r;
  }

and size_field (v : field) =
  Capnp.Size.text v.name
  + room_annotation v.annotations
  + size_field_ordinal v.ordinal
  + size_field_which v.which

and write_field buf at (v : field) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 40) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 48) 0L;
  let next = Capnp.Unsafe.Put.text buf (at + 24) v.name next in
  Capnp.Unsafe.Put.uint16 buf at v.code_order;
  let next = put_annotation buf (at + 32) v.annotations next in
  Capnp.Unsafe.Put.uint16 buf (at + 2) (v.discriminant_value lxor 0xffff);
  let next = write_field_ordinal buf at v.ordinal next in
  write_field_which buf at v.which next

and read_field_which m (r : field Capnp.Reader.t) : field_which =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 8 with
  | 0 -> Slot (read_field_slot m (Capnp.Reader.cast r))
  | 1 -> Group (read_field_group m (Capnp.Reader.cast r))
  | n -> Unrecognized n

and size_field_which (v : field_which) =
  match v with
  | Slot x -> size_field_slot x
  | Group x -> size_field_group x
  | _ -> 0

and write_field_which buf at (v : field_which) next =
  match v with
  | Slot x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 0;
      write_field_slot buf at x next
  | Group x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 1;
      write_field_group buf at x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) n;
      next

and list_field m (l : field Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_field m l
  else
    let r = Capnp.Items.last m l in
    gather_field m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_field m r step n acc =
  if n = 0 then acc
  else
    let v = read_field m r in
    gather_field m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_field buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_field buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 3 4 buf at next)

and fill_field buf at l next =
  match l with
  | [] -> next
  | (v : field) :: rest -> fill_field buf (at + 56) rest (write_field buf at v next)

and room_field l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_field 8 l)

and sum_field total l =
  match l with
  | [] -> total
  | (v : field) :: rest -> sum_field (total + 56 + size_field v) rest

and read_field_slot m (r : field_slot Capnp.Reader.t) : field_slot =
  Capnp.Reader.spend m r 5;
  let d = Capnp.Reader.Unsafe.data_of m r 17 in
  {
    offset = Capnp.Reader.Unsafe.uint32_at m r d 4;
    type_ = Capnp.Reader.optional m r 2 read_type_;
    default_value = Capnp.Reader.optional m r 3 read_value;
    had_explicit_default = Capnp.Reader.Unsafe.bool_at m r d 128;
  }

and size_field_slot (v : field_slot) =
  Capnp.Size.optional size_type_ 32 v.type_
  + Capnp.Size.optional size_value 24 v.default_value

and write_field_slot buf at (v : field_slot) next =
  Capnp.Unsafe.Put.uint32 buf (at + 4) v.offset;
  let next = Capnp.Unsafe.Put.optional write_type_ 3 1 buf (at + 40) v.type_ next in
  let next = Capnp.Unsafe.Put.optional write_value 2 1 buf (at + 48) v.default_value next in
  Capnp.Unsafe.Put.bool buf (at + 16) 0 v.had_explicit_default;
  next

and read_field_group m (r : field_group Capnp.Reader.t) : field_group =
  Capnp.Reader.spend m r 5;
  {
    type_id = Capnp.Reader.int64 m r 16;
  }

and size_field_group (_ : field_group) = 0

and write_field_group buf at (v : field_group) next =
  Capnp.Unsafe.Put.int64 buf (at + 16) v.type_id;
  next

and read_field_ordinal m (r : field_ordinal Capnp.Reader.t) : field_ordinal =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 10 with
  | 0 -> Implicit
  | 1 -> Explicit (Capnp.Reader.uint16 m r 12)
  | n -> Unrecognized n

and size_field_ordinal (_ : field_ordinal) = 0

and write_field_ordinal buf at (v : field_ordinal) next =
  match v with
  | Implicit ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 0;
      next
  | Explicit x ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 1;
      Capnp.Unsafe.Put.uint16 buf (at + 12) x;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) n;
      next

and read_enumerant m (r : enumerant Capnp.Reader.t) : enumerant =
  Capnp.Reader.spend m r 4;
  {
    name = Capnp.Reader.string m r 0;
    code_order = Capnp.Reader.uint16 m r 0;
    annotations = list_annotation m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
  }

and size_enumerant (v : enumerant) =
  Capnp.Size.text v.name
  + room_annotation v.annotations

and write_enumerant buf at (v : enumerant) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.name next in
  Capnp.Unsafe.Put.uint16 buf at v.code_order;
  put_annotation buf (at + 16) v.annotations next

and list_enumerant m (l : enumerant Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_enumerant m l
  else
    let r = Capnp.Items.last m l in
    gather_enumerant m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_enumerant m r step n acc =
  if n = 0 then acc
  else
    let v = read_enumerant m r in
    gather_enumerant m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_enumerant buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_enumerant buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 2 buf at next)

and fill_enumerant buf at l next =
  match l with
  | [] -> next
  | (v : enumerant) :: rest -> fill_enumerant buf (at + 24) rest (write_enumerant buf at v next)

and room_enumerant l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_enumerant 8 l)

and sum_enumerant total l =
  match l with
  | [] -> total
  | (v : enumerant) :: rest -> sum_enumerant (total + 24 + size_enumerant v) rest

and read_superclass m (r : superclass Capnp.Reader.t) : superclass =
  Capnp.Reader.spend m r 6;
  {
    id = Capnp.Reader.int64 m r 0;
    brand = Capnp.Reader.optional m r 0 read_brand;
  }

and size_superclass (v : superclass) =
  Capnp.Size.optional size_brand 8 v.brand

and write_superclass buf at (v : superclass) next =
  Capnp.Unsafe.Put.int64 buf at v.id;
  Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 8) v.brand next

and list_superclass m (l : superclass Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_superclass m l
  else
    let r = Capnp.Items.last m l in
    gather_superclass m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_superclass m r step n acc =
  if n = 0 then acc
  else
    let v = read_superclass m r in
    gather_superclass m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_superclass buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_superclass buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 1 buf at next)

and fill_superclass buf at l next =
  match l with
  | [] -> next
  | (v : superclass) :: rest -> fill_superclass buf (at + 16) rest (write_superclass buf at v next)

and room_superclass l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_superclass 8 l)

and sum_superclass total l =
  match l with
  | [] -> total
  | (v : superclass) :: rest -> sum_superclass (total + 16 + size_superclass v) rest

and read_method_ m (r : method_ Capnp.Reader.t) : method_ =
  Capnp.Reader.spend m r 15;
  let d = Capnp.Reader.Unsafe.data_of m r 24 in
  {
    name = Capnp.Reader.string m r 0;
    code_order = Capnp.Reader.Unsafe.uint16_at m r d 0;
    implicit_parameters = list_node_parameter m (Capnp.Reader.list m r 4 Capnp.Kind.struct_);
    param_struct_type = Capnp.Reader.Unsafe.int64_at m r d 8;
    param_brand = Capnp.Reader.optional m r 2 read_brand;
    result_struct_type = Capnp.Reader.Unsafe.int64_at m r d 16;
    result_brand = Capnp.Reader.optional m r 3 read_brand;
    annotations = list_annotation m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
  }

and size_method_ (v : method_) =
  Capnp.Size.text v.name
  + room_node_parameter v.implicit_parameters
  + Capnp.Size.optional size_brand 8 v.param_brand
  + Capnp.Size.optional size_brand 8 v.result_brand
  + room_annotation v.annotations

and write_method_ buf at (v : method_) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  let next = Capnp.Unsafe.Put.text buf (at + 24) v.name next in
  Capnp.Unsafe.Put.uint16 buf at v.code_order;
  let next = put_node_parameter buf (at + 56) v.implicit_parameters next in
  Capnp.Unsafe.Put.int64 buf (at + 8) v.param_struct_type;
  let next = Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 40) v.param_brand next in
  Capnp.Unsafe.Put.int64 buf (at + 16) v.result_struct_type;
  let next = Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 48) v.result_brand next in
  put_annotation buf (at + 32) v.annotations next

and list_method_ m (l : method_ Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_method_ m l
  else
    let r = Capnp.Items.last m l in
    gather_method_ m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_method_ m r step n acc =
  if n = 0 then acc
  else
    let v = read_method_ m r in
    gather_method_ m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_method_ buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_method_ buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 3 5 buf at next)

and fill_method_ buf at l next =
  match l with
  | [] -> next
  | (v : method_) :: rest -> fill_method_ buf (at + 64) rest (write_method_ buf at v next)

and room_method_ l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_method_ 8 l)

and sum_method_ total l =
  match l with
  | [] -> total
  | (v : method_) :: rest -> sum_method_ (total + 64 + size_method_ v) rest

and read_type_ m (r : type_ Capnp.Reader.t) : type_ =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 0 with
  | 0 -> Void
  | 1 -> Bool
  | 2 -> Int8
  | 3 -> Int16
  | 4 -> Int32
  | 5 -> Int64
  | 6 -> Uint8
  | 7 -> Uint16
  | 8 -> Uint32
  | 9 -> Uint64
  | 10 -> Float32
  | 11 -> Float64
  | 12 -> Text
  | 13 -> Data
  | 14 -> List (read_type_list m (Capnp.Reader.cast r))
  | 15 -> Enum (read_type_enum m (Capnp.Reader.cast r))
  | 16 -> Struct (read_type_struct m (Capnp.Reader.cast r))
  | 17 -> Interface (read_type_interface m (Capnp.Reader.cast r))
  | 18 -> Any_pointer (read_type_any_pointer m (Capnp.Reader.cast r))
  | n -> Unrecognized n

and size_type_ (v : type_) =
  match v with
  | List x -> size_type_list x
  | Enum x -> size_type_enum x
  | Struct x -> size_type_struct x
  | Interface x -> size_type_interface x
  | Any_pointer x -> size_type_any_pointer x
  | _ -> 0

and write_type_ buf at (v : type_) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 24) 0L;
  match v with
  | Void ->
      Capnp.Unsafe.Put.uint16 buf at 0;
      next
  | Bool ->
      Capnp.Unsafe.Put.uint16 buf at 1;
      next
  | Int8 ->
      Capnp.Unsafe.Put.uint16 buf at 2;
      next
  | Int16 ->
      Capnp.Unsafe.Put.uint16 buf at 3;
      next
  | Int32 ->
      Capnp.Unsafe.Put.uint16 buf at 4;
      next
  | Int64 ->
      Capnp.Unsafe.Put.uint16 buf at 5;
      next
  | Uint8 ->
      Capnp.Unsafe.Put.uint16 buf at 6;
      next
  | Uint16 ->
      Capnp.Unsafe.Put.uint16 buf at 7;
      next
  | Uint32 ->
      Capnp.Unsafe.Put.uint16 buf at 8;
      next
  | Uint64 ->
      Capnp.Unsafe.Put.uint16 buf at 9;
      next
  | Float32 ->
      Capnp.Unsafe.Put.uint16 buf at 10;
      next
  | Float64 ->
      Capnp.Unsafe.Put.uint16 buf at 11;
      next
  | Text ->
      Capnp.Unsafe.Put.uint16 buf at 12;
      next
  | Data ->
      Capnp.Unsafe.Put.uint16 buf at 13;
      next
  | List x ->
      Capnp.Unsafe.Put.uint16 buf at 14;
      write_type_list buf at x next
  | Enum x ->
      Capnp.Unsafe.Put.uint16 buf at 15;
      write_type_enum buf at x next
  | Struct x ->
      Capnp.Unsafe.Put.uint16 buf at 16;
      write_type_struct buf at x next
  | Interface x ->
      Capnp.Unsafe.Put.uint16 buf at 17;
      write_type_interface buf at x next
  | Any_pointer x ->
      Capnp.Unsafe.Put.uint16 buf at 18;
      write_type_any_pointer buf at x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf at n;
      next

and read_type_list m (r : type_list Capnp.Reader.t) : type_list =
  Capnp.Reader.spend m r 2;
  {
    element_type = Capnp.Reader.optional m r 0 read_type_;
  }

and size_type_list (v : type_list) =
  Capnp.Size.optional size_type_ 32 v.element_type

and write_type_list buf at (v : type_list) next =
  Capnp.Unsafe.Put.optional write_type_ 3 1 buf (at + 24) v.element_type next

and read_type_enum m (r : type_enum Capnp.Reader.t) : type_enum =
  Capnp.Reader.spend m r 6;
  {
    type_id = Capnp.Reader.int64 m r 8;
    brand = Capnp.Reader.optional m r 0 read_brand;
  }

and size_type_enum (v : type_enum) =
  Capnp.Size.optional size_brand 8 v.brand

and write_type_enum buf at (v : type_enum) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) v.type_id;
  Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 24) v.brand next

and read_type_struct m (r : type_struct Capnp.Reader.t) : type_struct =
  Capnp.Reader.spend m r 6;
  {
    type_id = Capnp.Reader.int64 m r 8;
    brand = Capnp.Reader.optional m r 0 read_brand;
  }

and size_type_struct (v : type_struct) =
  Capnp.Size.optional size_brand 8 v.brand

and write_type_struct buf at (v : type_struct) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) v.type_id;
  Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 24) v.brand next

and read_type_interface m (r : type_interface Capnp.Reader.t) : type_interface =
  Capnp.Reader.spend m r 6;
  {
    type_id = Capnp.Reader.int64 m r 8;
    brand = Capnp.Reader.optional m r 0 read_brand;
  }

and size_type_interface (v : type_interface) =
  Capnp.Size.optional size_brand 8 v.brand

and write_type_interface buf at (v : type_interface) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) v.type_id;
  Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 24) v.brand next

and read_type_any_pointer m (r : type_any_pointer Capnp.Reader.t) : type_any_pointer =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 8 with
  | 0 -> Unconstrained (read_type_any_pointer_unconstrained m (Capnp.Reader.cast r))
  | 1 -> Parameter (read_type_any_pointer_parameter m (Capnp.Reader.cast r))
  | 2 -> Implicit_method_parameter
      (read_type_any_pointer_implicit_method_parameter m (Capnp.Reader.cast r))
  | n -> Unrecognized n

and size_type_any_pointer (v : type_any_pointer) =
  match v with
  | Unconstrained x -> size_type_any_pointer_unconstrained x
  | Parameter x -> size_type_any_pointer_parameter x
  | Implicit_method_parameter x -> size_type_any_pointer_implicit_method_parameter x
  | _ -> 0

and write_type_any_pointer buf at (v : type_any_pointer) next =
  match v with
  | Unconstrained x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 0;
      write_type_any_pointer_unconstrained buf at x next
  | Parameter x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 1;
      write_type_any_pointer_parameter buf at x next
  | Implicit_method_parameter x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 2;
      write_type_any_pointer_implicit_method_parameter buf at x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) n;
      next

and read_type_any_pointer_unconstrained m (r : type_any_pointer_unconstrained Capnp.Reader.t) :
  type_any_pointer_unconstrained =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 10 with
  | 0 -> Any_kind
  | 1 -> Struct
  | 2 -> List
  | 3 -> Capability
  | n -> Unrecognized n

and size_type_any_pointer_unconstrained (_ : type_any_pointer_unconstrained) = 0

and write_type_any_pointer_unconstrained buf at (v : type_any_pointer_unconstrained) next =
  match v with
  | Any_kind ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 0;
      next
  | Struct ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 1;
      next
  | List ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 2;
      next
  | Capability ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) 3;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 10) n;
      next

and read_type_any_pointer_parameter m (r : type_any_pointer_parameter Capnp.Reader.t) :
  type_any_pointer_parameter =
  Capnp.Reader.spend m r 6;
  let d = Capnp.Reader.Unsafe.data_of m r 24 in
  {
    scope_id = Capnp.Reader.Unsafe.int64_at m r d 16;
    parameter_index = Capnp.Reader.Unsafe.uint16_at m r d 10;
  }

and size_type_any_pointer_parameter (_ : type_any_pointer_parameter) = 0

and write_type_any_pointer_parameter buf at (v : type_any_pointer_parameter) next =
  Capnp.Unsafe.Put.int64 buf (at + 16) v.scope_id;
  Capnp.Unsafe.Put.uint16 buf (at + 10) v.parameter_index;
  next

and read_type_any_pointer_implicit_method_parameter m
  (r : type_any_pointer_implicit_method_parameter Capnp.Reader.t) :
  type_any_pointer_implicit_method_parameter =
  Capnp.Reader.spend m r 2;
  {
    parameter_index = Capnp.Reader.uint16 m r 10;
  }

and size_type_any_pointer_implicit_method_parameter
  (_ : type_any_pointer_implicit_method_parameter) = 0

and write_type_any_pointer_implicit_method_parameter buf at
  (v : type_any_pointer_implicit_method_parameter) next =
  Capnp.Unsafe.Put.uint16 buf (at + 10) v.parameter_index;
  next

and read_brand m (r : brand Capnp.Reader.t) : brand =
  Capnp.Reader.spend m r 2;
  {
    scopes = list_brand_scope m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
  }

and size_brand (v : brand) =
  room_brand_scope v.scopes

and write_brand buf at (v : brand) next =
  put_brand_scope buf at v.scopes next

and read_brand_scope m (r : brand_scope Capnp.Reader.t) : brand_scope =
  Capnp.Reader.spend m r 6;
  {
    scope_id = Capnp.Reader.int64 m r 0;
    which = read_brand_scope_which m r;
  }

and size_brand_scope (v : brand_scope) =
  size_brand_scope_which v.which

and write_brand_scope buf at (v : brand_scope) next =
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  Capnp.Unsafe.Put.int64 buf at v.scope_id;
  write_brand_scope_which buf at v.which next

and read_brand_scope_which m (r : brand_scope Capnp.Reader.t) : brand_scope_which =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 8 with
  | 0 -> Bind (list_brand_binding m (Capnp.Reader.list m r 0 Capnp.Kind.struct_))
  | 1 -> Inherit
  | n -> Unrecognized n

and size_brand_scope_which (v : brand_scope_which) =
  match v with
  | Bind x -> room_brand_binding x
  | _ -> 0

and write_brand_scope_which buf at (v : brand_scope_which) next =
  match v with
  | Bind x ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 0;
      put_brand_binding buf (at + 16) x next
  | Inherit ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) 1;
      next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf (at + 8) n;
      next

and list_brand_scope m (l : brand_scope Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_brand_scope m l
  else
    let r = Capnp.Items.last m l in
    gather_brand_scope m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_brand_scope m r step n acc =
  if n = 0 then acc
  else
    let v = read_brand_scope m r in
    gather_brand_scope m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_brand_scope buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_brand_scope buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 2 1 buf at next)

and fill_brand_scope buf at l next =
  match l with
  | [] -> next
  | (v : brand_scope) :: rest ->
      fill_brand_scope buf (at + 24) rest (write_brand_scope buf at v next)

and room_brand_scope l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_brand_scope 8 l)

and sum_brand_scope total l =
  match l with
  | [] -> total
  | (v : brand_scope) :: rest -> sum_brand_scope (total + 24 + size_brand_scope v) rest

and read_brand_binding m (r : brand_binding Capnp.Reader.t) : brand_binding =
  Capnp.Reader.spend m r 2;
  match Capnp.Reader.uint16 m r 0 with
  | 0 -> Unbound
  | 1 -> Type (Capnp.Reader.optional m r 0 read_type_)
  | n -> Unrecognized n

and size_brand_binding (v : brand_binding) =
  match v with
  | Type x -> Capnp.Size.optional size_type_ 32 x
  | _ -> 0

and write_brand_binding buf at (v : brand_binding) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  match v with
  | Unbound ->
      Capnp.Unsafe.Put.uint16 buf at 0;
      next
  | Type x ->
      Capnp.Unsafe.Put.uint16 buf at 1;
      Capnp.Unsafe.Put.optional write_type_ 3 1 buf (at + 8) x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf at n;
      next

and list_brand_binding m (l : brand_binding Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_brand_binding m l
  else
    let r = Capnp.Items.last m l in
    gather_brand_binding m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_brand_binding m r step n acc =
  if n = 0 then acc
  else
    let v = read_brand_binding m r in
    gather_brand_binding m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_brand_binding buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_brand_binding buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 1 buf at next)

and fill_brand_binding buf at l next =
  match l with
  | [] -> next
  | (v : brand_binding) :: rest ->
      fill_brand_binding buf (at + 16) rest (write_brand_binding buf at v next)

and room_brand_binding l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_brand_binding 8 l)

and sum_brand_binding total l =
  match l with
  | [] -> total
  | (v : brand_binding) :: rest -> sum_brand_binding (total + 16 + size_brand_binding v) rest

and read_value m (r : value Capnp.Reader.t) : value =
  Capnp.Reader.spend m r 5;
  match Capnp.Reader.uint16 m r 0 with
  | 0 -> Void
  | 1 -> Bool (Capnp.Reader.bool m r 16)
  | 2 -> Int8 (Capnp.Reader.int8 m r 2)
  | 3 -> Int16 (Capnp.Reader.int16 m r 2)
  | 4 -> Int32 (Capnp.Reader.int32 m r 4)
  | 5 -> Int64 (Capnp.Reader.int64 m r 8)
  | 6 -> Uint8 (Capnp.Reader.uint8 m r 2)
  | 7 -> Uint16 (Capnp.Reader.uint16 m r 2)
  | 8 -> Uint32 (Capnp.Reader.uint32 m r 4)
  | 9 -> Uint64 (Capnp.Reader.int64 m r 8)
  | 10 -> Float32 (Capnp.Reader.float32 m r 4)
  | 11 -> Float64 (Capnp.Reader.float64 m r 8)
  | 12 -> Text (Capnp.Reader.string m r 0)
  | 13 -> Data (Capnp.Reader.data_string m r 0)
  | 14 -> List (Capnp.Any.detach m (Capnp.Any.field m r 0))
  | 15 -> Enum (Capnp.Reader.uint16 m r 2)
  | 16 -> Struct (Capnp.Any.detach m (Capnp.Any.field m r 0))
  | 17 -> Interface
  | 18 -> Any_pointer (Capnp.Any.detach m (Capnp.Any.field m r 0))
  | n -> Unrecognized n

and size_value (v : value) =
  match v with
  | Text x -> Capnp.Size.text x
  | Data x -> Capnp.Size.data x
  | List x -> Capnp.Any.size x
  | Struct x -> Capnp.Any.size x
  | Any_pointer x -> Capnp.Any.size x
  | _ -> 0

and write_value buf at (v : value) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.int64 buf (at + 8) 0L;
  Capnp.Unsafe.Put.int64 buf (at + 16) 0L;
  match v with
  | Void ->
      Capnp.Unsafe.Put.uint16 buf at 0;
      next
  | Bool x ->
      Capnp.Unsafe.Put.uint16 buf at 1;
      Capnp.Unsafe.Put.bool buf (at + 2) 0 x;
      next
  | Int8 x ->
      Capnp.Unsafe.Put.uint16 buf at 2;
      Capnp.Unsafe.Put.uint8 buf (at + 2) x;
      next
  | Int16 x ->
      Capnp.Unsafe.Put.uint16 buf at 3;
      Capnp.Unsafe.Put.uint16 buf (at + 2) x;
      next
  | Int32 x ->
      Capnp.Unsafe.Put.uint16 buf at 4;
      Capnp.Unsafe.Put.uint32 buf (at + 4) x;
      next
  | Int64 x ->
      Capnp.Unsafe.Put.uint16 buf at 5;
      Capnp.Unsafe.Put.int64 buf (at + 8) x;
      next
  | Uint8 x ->
      Capnp.Unsafe.Put.uint16 buf at 6;
      Capnp.Unsafe.Put.uint8 buf (at + 2) x;
      next
  | Uint16 x ->
      Capnp.Unsafe.Put.uint16 buf at 7;
      Capnp.Unsafe.Put.uint16 buf (at + 2) x;
      next
  | Uint32 x ->
      Capnp.Unsafe.Put.uint16 buf at 8;
      Capnp.Unsafe.Put.uint32 buf (at + 4) x;
      next
  | Uint64 x ->
      Capnp.Unsafe.Put.uint16 buf at 9;
      Capnp.Unsafe.Put.int64 buf (at + 8) x;
      next
  | Float32 x ->
      Capnp.Unsafe.Put.uint16 buf at 10;
      Capnp.Unsafe.Put.float32 buf (at + 4) x;
      next
  | Float64 x ->
      Capnp.Unsafe.Put.uint16 buf at 11;
      Capnp.Unsafe.Put.float64 buf (at + 8) x;
      next
  | Text x ->
      Capnp.Unsafe.Put.uint16 buf at 12;
      Capnp.Unsafe.Put.text buf (at + 16) x next
  | Data x ->
      Capnp.Unsafe.Put.uint16 buf at 13;
      Capnp.Unsafe.Put.data buf (at + 16) x next
  | List x ->
      Capnp.Unsafe.Put.uint16 buf at 14;
      Capnp.Any.write buf (at + 16) x next
  | Enum x ->
      Capnp.Unsafe.Put.uint16 buf at 15;
      Capnp.Unsafe.Put.uint16 buf (at + 2) x;
      next
  | Struct x ->
      Capnp.Unsafe.Put.uint16 buf at 16;
      Capnp.Any.write buf (at + 16) x next
  | Interface ->
      Capnp.Unsafe.Put.uint16 buf at 17;
      next
  | Any_pointer x ->
      Capnp.Unsafe.Put.uint16 buf at 18;
      Capnp.Any.write buf (at + 16) x next
  | Unrecognized n ->
      Capnp.Unsafe.Put.uint16 buf at n;
      next

and read_annotation m (r : annotation Capnp.Reader.t) : annotation =
  Capnp.Reader.spend m r 7;
  {
    id = Capnp.Reader.int64 m r 0;
    brand = Capnp.Reader.optional m r 1 read_brand;
    value = Capnp.Reader.optional m r 0 read_value;
  }

and size_annotation (v : annotation) =
  Capnp.Size.optional size_brand 8 v.brand
  + Capnp.Size.optional size_value 24 v.value

and write_annotation buf at (v : annotation) next =
  Capnp.Unsafe.Put.int64 buf at v.id;
  let next = Capnp.Unsafe.Put.optional write_brand 0 1 buf (at + 16) v.brand next in
  Capnp.Unsafe.Put.optional write_value 2 1 buf (at + 8) v.value next

and list_annotation m (l : annotation Capnp.Items.t) =
  if not (Capnp.Items.in_line l) then Capnp.Items.structs read_annotation m l
  else
    let r = Capnp.Items.last m l in
    gather_annotation m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_annotation m r step n acc =
  if n = 0 then acc
  else
    let v = read_annotation m r in
    gather_annotation m (Capnp.Items.Unsafe.previous r step) step (n - 1) (v :: acc)

and put_annotation buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_annotation buf (next + 8) l (Capnp.Unsafe.Put.start_structs n 1 2 buf at next)

and fill_annotation buf at l next =
  match l with
  | [] -> next
  | (v : annotation) :: rest -> fill_annotation buf (at + 24) rest (write_annotation buf at v next)

and room_annotation l = match l with [] -> 0 | l -> Capnp.Size.checked l (sum_annotation 8 l)

and sum_annotation total l =
  match l with
  | [] -> total
  | (v : annotation) :: rest -> sum_annotation (total + 24 + size_annotation v) rest

and read_capnp_version m (r : capnp_version Capnp.Reader.t) : capnp_version =
  Capnp.Reader.spend m r 4;
  let d = Capnp.Reader.Unsafe.data_of m r 4 in
  {
    major = Capnp.Reader.Unsafe.uint16_at m r d 0;
    minor = Capnp.Reader.Unsafe.uint8_at m r d 2;
    micro = Capnp.Reader.Unsafe.uint8_at m r d 3;
  }

and size_capnp_version (_ : capnp_version) = 0

and write_capnp_version buf at (v : capnp_version) next =
  Capnp.Unsafe.Put.int64 buf at 0L;
  Capnp.Unsafe.Put.uint16 buf at v.major;
  Capnp.Unsafe.Put.uint8 buf (at + 2) v.minor;
  Capnp.Unsafe.Put.uint8 buf (at + 3) v.micro;
  next

and read_code_generator_request m (r : code_generator_request Capnp.Reader.t) :
  code_generator_request =
  Capnp.Reader.spend m r 5;
  {
    capnp_version = Capnp.Reader.optional m r 2 read_capnp_version;
    nodes = list_node m (Capnp.Reader.list m r 0 Capnp.Kind.struct_);
    source_info = list_node_source_info m (Capnp.Reader.list m r 3 Capnp.Kind.struct_);
    requested_files =
      list_code_generator_request_requested_file m (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
  }

and size_code_generator_request (v : code_generator_request) =
  Capnp.Size.optional size_capnp_version 8 v.capnp_version
  + room_node v.nodes
  + room_node_source_info v.source_info
  + room_code_generator_request_requested_file v.requested_files

and write_code_generator_request buf at (v : code_generator_request) next =
  let next = Capnp.Unsafe.Put.optional write_capnp_version 1 0 buf (at + 16) v.capnp_version next in
  let next = put_node buf at v.nodes next in
  let next = put_node_source_info buf (at + 24) v.source_info next in
  put_code_generator_request_requested_file buf (at + 8) v.requested_files next

and read_code_generator_request_requested_file m
  (r : code_generator_request_requested_file Capnp.Reader.t) :
  code_generator_request_requested_file =
  Capnp.Reader.spend m r 7;
  {
    id = Capnp.Reader.int64 m r 0;
    filename = Capnp.Reader.string m r 0;
    imports =
      list_code_generator_request_requested_file_import m
        (Capnp.Reader.list m r 1 Capnp.Kind.struct_);
  }

and size_code_generator_request_requested_file (v : code_generator_request_requested_file) =
  Capnp.Size.text v.filename
  + room_code_generator_request_requested_file_import v.imports

and write_code_generator_request_requested_file buf at (v : code_generator_request_requested_file)
  next =
  Capnp.Unsafe.Put.int64 buf at v.id;
  let next = Capnp.Unsafe.Put.text buf (at + 8) v.filename next in
  put_code_generator_request_requested_file_import buf (at + 16) v.imports next

and list_code_generator_request_requested_file m
  (l : code_generator_request_requested_file Capnp.Items.t) =
  if not (Capnp.Items.in_line l)
  then Capnp.Items.structs read_code_generator_request_requested_file m l
  else
    let r = Capnp.Items.last m l in
    gather_code_generator_request_requested_file m r (Capnp.Items.step r) (Capnp.Items.length l) []

and gather_code_generator_request_requested_file m r step n acc =
  if n = 0 then acc
  else
    let v = read_code_generator_request_requested_file m r in
    gather_code_generator_request_requested_file m (Capnp.Items.Unsafe.previous r step) step
      (n - 1) (v :: acc)

and put_code_generator_request_requested_file buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_code_generator_request_requested_file buf (next + 8) l
        (Capnp.Unsafe.Put.start_structs n 1 2 buf at next)

and fill_code_generator_request_requested_file buf at l next =
  match l with
  | [] -> next
  | (v : code_generator_request_requested_file) :: rest ->
      fill_code_generator_request_requested_file buf (at + 24) rest
      (write_code_generator_request_requested_file buf at v next)

and room_code_generator_request_requested_file l =
  match l with [] -> 0 | l -> Capnp.Size.checked l (sum_code_generator_request_requested_file 8 l)

and sum_code_generator_request_requested_file total l =
  match l with
  | [] -> total
  | (v : code_generator_request_requested_file) :: rest ->
      sum_code_generator_request_requested_file
      (total + 24 + size_code_generator_request_requested_file v) rest

and read_code_generator_request_requested_file_import m
  (r : code_generator_request_requested_file_import Capnp.Reader.t) :
  code_generator_request_requested_file_import =
  Capnp.Reader.spend m r 6;
  {
    id = Capnp.Reader.int64 m r 0;
    name = Capnp.Reader.string m r 0;
  }

and size_code_generator_request_requested_file_import
  (v : code_generator_request_requested_file_import) =
  Capnp.Size.text v.name

and write_code_generator_request_requested_file_import buf at
  (v : code_generator_request_requested_file_import) next =
  Capnp.Unsafe.Put.int64 buf at v.id;
  Capnp.Unsafe.Put.text buf (at + 8) v.name next

and list_code_generator_request_requested_file_import m
  (l : code_generator_request_requested_file_import Capnp.Items.t) =
  if not (Capnp.Items.in_line l)
  then Capnp.Items.structs read_code_generator_request_requested_file_import m l
  else
    let r = Capnp.Items.last m l in
    gather_code_generator_request_requested_file_import m r (Capnp.Items.step r)
      (Capnp.Items.length l) []

and gather_code_generator_request_requested_file_import m r step n acc =
  if n = 0 then acc
  else
    let v = read_code_generator_request_requested_file_import m r in
    gather_code_generator_request_requested_file_import m (Capnp.Items.Unsafe.previous r step) step
      (n - 1) (v :: acc)

and put_code_generator_request_requested_file_import buf at l next =
  match l with
  | [] -> Capnp.Unsafe.Put.null buf at next
  | l ->
      let n = Capnp.Size.length l in
      fill_code_generator_request_requested_file_import buf (next + 8) l
        (Capnp.Unsafe.Put.start_structs n 1 1 buf at next)

and fill_code_generator_request_requested_file_import buf at l next =
  match l with
  | [] -> next
  | (v : code_generator_request_requested_file_import) :: rest ->
      fill_code_generator_request_requested_file_import buf (at + 16) rest
      (write_code_generator_request_requested_file_import buf at v next)

and room_code_generator_request_requested_file_import l =
  match l with [] -> 0 | l ->
    Capnp.Size.checked l (sum_code_generator_request_requested_file_import 8 l)

and sum_code_generator_request_requested_file_import total l =
  match l with
  | [] -> total
  | (v : code_generator_request_requested_file_import) :: rest ->
      sum_code_generator_request_requested_file_import
      (total + 16 + size_code_generator_request_requested_file_import v) rest

module Node = struct
  type which = node_which =
    | File
    | Struct of node_struct
    | Enum of node_enum
    | Interface of node_interface
    | Const of node_const
    | Annotation of node_annotation
    | Unrecognized of int

  type t = node = {
    id : int64;
    display_name : string;
    display_name_prefix_length : int;
    scope_id : int64;
    parameters : node_parameter list;
    is_generic : bool;
    nested_nodes : node_nested_node list;
    annotations : annotation list;
    which : which;
  }

  let decode s = Capnp.Reader.decode read_node s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 5 6 (size_node v) in
    Capnp.Unsafe.Record.finish buf (write_node buf 16 v 104)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 5 6 (size_node v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 5 6 (write_node buf 16 v 104)
    else Capnp.Unsafe.Record.write 5 6 size_node write_node b v
  let default = read_node Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 5 6
  let of_reader = read_node
  let to_builder b h v = Capnp.Unsafe.Record.fill 5 6 size_node write_node b h v
  let size = size_node
  let unsafe_put = write_node

  (** Reading in place. *)
  module R = struct
    type t = node Capnp.Reader.t

    type which =
      | File
      | Struct
      | Enum
      | Interface
      | Const
      | Annotation
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 12 with
      | 0 -> File
      | 1 -> Struct
      | 2 -> Enum
      | 3 -> Interface
      | 4 -> Const
      | 5 -> Annotation
      | n -> Unrecognized n

    let[@inline] id m r = Capnp.Reader.int64 m r 0
    let has_display_name m r = Capnp.Reader.has m r 0
    let[@inline] display_name m r = Capnp.Reader.text m r 0
    let[@inline] display_name_prefix_length m r = Capnp.Reader.uint32 m r 8
    let[@inline] scope_id m r = Capnp.Reader.int64 m r 16
    let has_parameters m r = Capnp.Reader.has m r 5
    let[@inline] parameters m r = Capnp.Reader.list m r 5 Capnp.Kind.struct_
    let[@inline] is_generic m r = Capnp.Reader.bool m r 288
    let has_nested_nodes m r = Capnp.Reader.has m r 1
    let[@inline] nested_nodes m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    let has_annotations m r = Capnp.Reader.has m r 2
    let[@inline] annotations m r = Capnp.Reader.list m r 2 Capnp.Kind.struct_
    let file _ _ = ()
    let struct_ _ r = Capnp.Reader.cast r
    let enum _ r = Capnp.Reader.cast r
    let interface _ r = Capnp.Reader.cast r
    let const _ r = Capnp.Reader.cast r
    let annotation _ r = Capnp.Reader.cast r
  end

  (** Building in place. *)
  module B = struct
    type t = node Capnp.Builder.struct_

    let set_id b h v = Capnp.Builder.set_int64 b h 0 v
    let set_display_name b h v = Capnp.Builder.set_text b h 0 v
    let set_display_name_prefix_length b h v = Capnp.Builder.set_uint32 b h 8 v
    let set_scope_id b h v = Capnp.Builder.set_int64 b h 16 v
    let init_parameters b h n = Capnp.Builder.init_struct_list b h 5 n 0 1
    let get_parameters b h = Capnp.Builder.get_items b h 5 Capnp.Kind.struct_
    let set_is_generic b h v = Capnp.Builder.set_bool b h 288 v
    let init_nested_nodes b h n = Capnp.Builder.init_struct_list b h 1 n 1 1
    let get_nested_nodes b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    let init_annotations b h n = Capnp.Builder.init_struct_list b h 2 n 1 2
    let get_annotations b h = Capnp.Builder.get_items b h 2 Capnp.Kind.struct_
    let set_file b h = Capnp.Builder.set_uint16 b h 12 0; ()
    let init_struct_ b h =
      Capnp.Builder.set_uint16 b h 12 1; Capnp.Builder.set_uint16 b h 14 0;
      Capnp.Builder.set_uint16 b h 24 0; Capnp.Builder.set_uint16 b h 26 0;
      Capnp.Builder.set_bool b h 224 false; Capnp.Builder.set_uint16 b h 30 0;
      Capnp.Builder.set_uint32 b h 32 0; Capnp.Builder.set_null b h 3; Capnp.Builder.cast h
    let init_enum b h =
      Capnp.Builder.set_uint16 b h 12 2; Capnp.Builder.set_null b h 3; Capnp.Builder.cast h
    let init_interface b h =
      Capnp.Builder.set_uint16 b h 12 3; Capnp.Builder.set_null b h 3;
      Capnp.Builder.set_null b h 4; Capnp.Builder.cast h
    let init_const b h =
      Capnp.Builder.set_uint16 b h 12 4; Capnp.Builder.set_null b h 3;
      Capnp.Builder.set_null b h 4; Capnp.Builder.cast h
    let init_annotation b h =
      Capnp.Builder.set_uint16 b h 12 5; Capnp.Builder.set_null b h 3;
      Capnp.Builder.set_bool b h 112 false; Capnp.Builder.set_bool b h 113 false;
      Capnp.Builder.set_bool b h 114 false; Capnp.Builder.set_bool b h 115 false;
      Capnp.Builder.set_bool b h 116 false; Capnp.Builder.set_bool b h 117 false;
      Capnp.Builder.set_bool b h 118 false; Capnp.Builder.set_bool b h 119 false;
      Capnp.Builder.set_bool b h 120 false; Capnp.Builder.set_bool b h 121 false;
      Capnp.Builder.set_bool b h 122 false; Capnp.Builder.set_bool b h 123 false;
      Capnp.Builder.cast h
  end

  module Parameter = struct
    type t = node_parameter = {
      name : string;
    }

    let decode s = Capnp.Reader.decode read_node_parameter s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 0 1 (size_node_parameter v) in
      Capnp.Unsafe.Record.finish buf (write_node_parameter buf 16 v 24)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 0 1 (size_node_parameter v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 0 1 (write_node_parameter buf 16 v 24)
      else Capnp.Unsafe.Record.write 0 1 size_node_parameter write_node_parameter b v
    let default = read_node_parameter Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
    let of_reader = read_node_parameter
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 0 1 size_node_parameter write_node_parameter b h v
    let size = size_node_parameter
    let unsafe_put = write_node_parameter

    (** Reading in place. *)
    module R = struct
      type t = node_parameter Capnp.Reader.t

      let has_name m r = Capnp.Reader.has m r 0
      let[@inline] name m r = Capnp.Reader.text m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = node_parameter Capnp.Builder.struct_

      let set_name b h v = Capnp.Builder.set_text b h 0 v
    end
  end

  module Nested_node = struct
    type t = node_nested_node = {
      name : string;
      id : int64;
    }

    let decode s = Capnp.Reader.decode read_node_nested_node s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 1 (size_node_nested_node v) in
      Capnp.Unsafe.Record.finish buf (write_node_nested_node buf 16 v 32)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 1 (size_node_nested_node v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 1 (write_node_nested_node buf 16 v 32)
      else Capnp.Unsafe.Record.write 1 1 size_node_nested_node write_node_nested_node b v
    let default = read_node_nested_node Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
    let of_reader = read_node_nested_node
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 1 1 size_node_nested_node write_node_nested_node b h v
    let size = size_node_nested_node
    let unsafe_put = write_node_nested_node

    (** Reading in place. *)
    module R = struct
      type t = node_nested_node Capnp.Reader.t

      let has_name m r = Capnp.Reader.has m r 0
      let[@inline] name m r = Capnp.Reader.text m r 0
      let[@inline] id m r = Capnp.Reader.int64 m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = node_nested_node Capnp.Builder.struct_

      let set_name b h v = Capnp.Builder.set_text b h 0 v
      let set_id b h v = Capnp.Builder.set_int64 b h 0 v
    end
  end

  module Source_info = struct
    type t = node_source_info = {
      id : int64;
      doc_comment : string;
      members : node_source_info_member list;
    }

    let decode s = Capnp.Reader.decode read_node_source_info s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 2 (size_node_source_info v) in
      Capnp.Unsafe.Record.finish buf (write_node_source_info buf 16 v 40)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 2 (size_node_source_info v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 2 (write_node_source_info buf 16 v 40)
      else Capnp.Unsafe.Record.write 1 2 size_node_source_info write_node_source_info b v
    let default = read_node_source_info Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 2
    let of_reader = read_node_source_info
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 1 2 size_node_source_info write_node_source_info b h v
    let size = size_node_source_info
    let unsafe_put = write_node_source_info

    (** Reading in place. *)
    module R = struct
      type t = node_source_info Capnp.Reader.t

      let[@inline] id m r = Capnp.Reader.int64 m r 0
      let has_doc_comment m r = Capnp.Reader.has m r 0
      let[@inline] doc_comment m r = Capnp.Reader.text m r 0
      let has_members m r = Capnp.Reader.has m r 1
      let[@inline] members m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = node_source_info Capnp.Builder.struct_

      let set_id b h v = Capnp.Builder.set_int64 b h 0 v
      let set_doc_comment b h v = Capnp.Builder.set_text b h 0 v
      let init_members b h n = Capnp.Builder.init_struct_list b h 1 n 0 1
      let get_members b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    end

    module Member = struct
      type t = node_source_info_member = {
        doc_comment : string;
      }

      let decode s = Capnp.Reader.decode read_node_source_info_member s
      let encode v =
        let buf = Capnp.Unsafe.Record.start 0 1 (size_node_source_info_member v) in
        Capnp.Unsafe.Record.finish buf (write_node_source_info_member buf 16 v 24)
      let write b v =
        let buf = Capnp.Unsafe.Record.restart b 0 1 (size_node_source_info_member v) in
        if Bytes.length buf > 0 then
          Capnp.Unsafe.Record.built b buf 0 1 (write_node_source_info_member buf 16 v 24)
        else Capnp.Unsafe.Record.write 0 1 size_node_source_info_member
          write_node_source_info_member b v
      let default = read_node_source_info_member Capnp.Reader.nothing Capnp.Reader.null
      let root m : t Capnp.Reader.t = Capnp.Reader.root m
      let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
      let of_reader = read_node_source_info_member
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 0 1 size_node_source_info_member write_node_source_info_member b h
          v
      let size = size_node_source_info_member
      let unsafe_put = write_node_source_info_member

      (** Reading in place. *)
      module R = struct
        type t = node_source_info_member Capnp.Reader.t

        let has_doc_comment m r = Capnp.Reader.has m r 0
        let[@inline] doc_comment m r = Capnp.Reader.text m r 0
      end

      (** Building in place. *)
      module B = struct
        type t = node_source_info_member Capnp.Builder.struct_

        let set_doc_comment b h v = Capnp.Builder.set_text b h 0 v
      end
    end
  end

  module Struct = struct
    type t = node_struct = {
      data_word_count : int;
      pointer_count : int;
      preferred_list_encoding : element_size;
      is_group : bool;
      discriminant_count : int;
      discriminant_offset : int;
      fields : field list;
    }

    let default = read_node_struct Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_node_struct
    let to_builder b h v = Capnp.Unsafe.Record.fill 5 6 size_node_struct write_node_struct b h v
    let size = size_node_struct
    let unsafe_put = write_node_struct

    (** Reading in place. *)
    module R = struct
      type t = node_struct Capnp.Reader.t

      let[@inline] data_word_count m r = Capnp.Reader.uint16 m r 14
      let[@inline] pointer_count m r = Capnp.Reader.uint16 m r 24
      let[@inline] preferred_list_encoding m r = element_size_of_int (Capnp.Reader.uint16 m r 26)
      let[@inline] is_group m r = Capnp.Reader.bool m r 224
      let[@inline] discriminant_count m r = Capnp.Reader.uint16 m r 30
      let[@inline] discriminant_offset m r = Capnp.Reader.uint32 m r 32
      let has_fields m r = Capnp.Reader.has m r 3
      let[@inline] fields m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = node_struct Capnp.Builder.struct_

      let set_data_word_count b h v = Capnp.Builder.set_uint16 b h 14 v
      let set_pointer_count b h v = Capnp.Builder.set_uint16 b h 24 v
      let set_preferred_list_encoding b h v =
        Capnp.Builder.set_uint16 b h 26 (element_size_to_int v)
      let set_is_group b h v = Capnp.Builder.set_bool b h 224 v
      let set_discriminant_count b h v = Capnp.Builder.set_uint16 b h 30 v
      let set_discriminant_offset b h v = Capnp.Builder.set_uint32 b h 32 v
      let init_fields b h n = Capnp.Builder.init_struct_list b h 3 n 3 4
      let get_fields b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
    end
  end

  module Enum = struct
    type t = node_enum = {
      enumerants : enumerant list;
    }

    let default = read_node_enum Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_node_enum
    let to_builder b h v = Capnp.Unsafe.Record.fill 5 6 size_node_enum write_node_enum b h v
    let size = size_node_enum
    let unsafe_put = write_node_enum

    (** Reading in place. *)
    module R = struct
      type t = node_enum Capnp.Reader.t

      let has_enumerants m r = Capnp.Reader.has m r 3
      let[@inline] enumerants m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = node_enum Capnp.Builder.struct_

      let init_enumerants b h n = Capnp.Builder.init_struct_list b h 3 n 1 2
      let get_enumerants b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
    end
  end

  module Interface = struct
    type t = node_interface = {
      methods : method_ list;
      superclasses : superclass list;
    }

    let default = read_node_interface Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_node_interface
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 5 6 size_node_interface write_node_interface b h v
    let size = size_node_interface
    let unsafe_put = write_node_interface

    (** Reading in place. *)
    module R = struct
      type t = node_interface Capnp.Reader.t

      let has_methods m r = Capnp.Reader.has m r 3
      let[@inline] methods m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
      let has_superclasses m r = Capnp.Reader.has m r 4
      let[@inline] superclasses m r = Capnp.Reader.list m r 4 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = node_interface Capnp.Builder.struct_

      let init_methods b h n = Capnp.Builder.init_struct_list b h 3 n 3 5
      let get_methods b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
      let init_superclasses b h n = Capnp.Builder.init_struct_list b h 4 n 1 1
      let get_superclasses b h = Capnp.Builder.get_items b h 4 Capnp.Kind.struct_
    end
  end

  module Const = struct
    type t = node_const = {
      type_ : type_ option;
      value : value option;
    }

    let default = read_node_const Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_node_const
    let to_builder b h v = Capnp.Unsafe.Record.fill 5 6 size_node_const write_node_const b h v
    let size = size_node_const
    let unsafe_put = write_node_const

    (** Reading in place. *)
    module R = struct
      type t = node_const Capnp.Reader.t

      let has_type_ m r = Capnp.Reader.has m r 3
      let[@inline] type_ m r = Capnp.Reader.struct_ m r 3
      let has_value m r = Capnp.Reader.has m r 4
      let[@inline] value m r = Capnp.Reader.struct_ m r 4
    end

    (** Building in place. *)
    module B = struct
      type t = node_const Capnp.Builder.struct_

      let init_type_ b h = Capnp.Builder.init_struct b h 3 3 1
      let get_type_ b h = Capnp.Any.get_struct b h 3 ~data:3 ~pointers:1
      let copy_type_ b h m r = Capnp.Any.copy_struct m r b h 3 ~data:3 ~pointers:1
      let init_value b h = Capnp.Builder.init_struct b h 4 2 1
      let get_value b h = Capnp.Any.get_struct b h 4 ~data:2 ~pointers:1
      let copy_value b h m r = Capnp.Any.copy_struct m r b h 4 ~data:2 ~pointers:1
    end
  end

  module Annotation = struct
    type t = node_annotation = {
      type_ : type_ option;
      targets_file : bool;
      targets_const : bool;
      targets_enum : bool;
      targets_enumerant : bool;
      targets_struct : bool;
      targets_field : bool;
      targets_union : bool;
      targets_group : bool;
      targets_interface : bool;
      targets_method : bool;
      targets_param : bool;
      targets_annotation : bool;
    }

    let default = read_node_annotation Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_node_annotation
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 5 6 size_node_annotation write_node_annotation b h v
    let size = size_node_annotation
    let unsafe_put = write_node_annotation

    (** Reading in place. *)
    module R = struct
      type t = node_annotation Capnp.Reader.t

      let has_type_ m r = Capnp.Reader.has m r 3
      let[@inline] type_ m r = Capnp.Reader.struct_ m r 3
      let[@inline] targets_file m r = Capnp.Reader.bool m r 112
      let[@inline] targets_const m r = Capnp.Reader.bool m r 113
      let[@inline] targets_enum m r = Capnp.Reader.bool m r 114
      let[@inline] targets_enumerant m r = Capnp.Reader.bool m r 115
      let[@inline] targets_struct m r = Capnp.Reader.bool m r 116
      let[@inline] targets_field m r = Capnp.Reader.bool m r 117
      let[@inline] targets_union m r = Capnp.Reader.bool m r 118
      let[@inline] targets_group m r = Capnp.Reader.bool m r 119
      let[@inline] targets_interface m r = Capnp.Reader.bool m r 120
      let[@inline] targets_method m r = Capnp.Reader.bool m r 121
      let[@inline] targets_param m r = Capnp.Reader.bool m r 122
      let[@inline] targets_annotation m r = Capnp.Reader.bool m r 123
    end

    (** Building in place. *)
    module B = struct
      type t = node_annotation Capnp.Builder.struct_

      let init_type_ b h = Capnp.Builder.init_struct b h 3 3 1
      let get_type_ b h = Capnp.Any.get_struct b h 3 ~data:3 ~pointers:1
      let copy_type_ b h m r = Capnp.Any.copy_struct m r b h 3 ~data:3 ~pointers:1
      let set_targets_file b h v = Capnp.Builder.set_bool b h 112 v
      let set_targets_const b h v = Capnp.Builder.set_bool b h 113 v
      let set_targets_enum b h v = Capnp.Builder.set_bool b h 114 v
      let set_targets_enumerant b h v = Capnp.Builder.set_bool b h 115 v
      let set_targets_struct b h v = Capnp.Builder.set_bool b h 116 v
      let set_targets_field b h v = Capnp.Builder.set_bool b h 117 v
      let set_targets_union b h v = Capnp.Builder.set_bool b h 118 v
      let set_targets_group b h v = Capnp.Builder.set_bool b h 119 v
      let set_targets_interface b h v = Capnp.Builder.set_bool b h 120 v
      let set_targets_method b h v = Capnp.Builder.set_bool b h 121 v
      let set_targets_param b h v = Capnp.Builder.set_bool b h 122 v
      let set_targets_annotation b h v = Capnp.Builder.set_bool b h 123 v
    end
  end
end

module Field = struct
  type which = field_which =
    | Slot of field_slot
    | Group of field_group
    | Unrecognized of int

  type t = field = {
    name : string;
    code_order : int;
    annotations : annotation list;
    discriminant_value : int;
    ordinal : field_ordinal;
    which : which;
  }

  let decode s = Capnp.Reader.decode read_field s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 4 (size_field v) in
    Capnp.Unsafe.Record.finish buf (write_field buf 16 v 72)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 4 (size_field v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 4 (write_field buf 16 v 72)
    else Capnp.Unsafe.Record.write 3 4 size_field write_field b v
  let default = read_field Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 4
  let of_reader = read_field
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_field write_field b h v
  let size = size_field
  let unsafe_put = write_field

  (** Reading in place. *)
  module R = struct
    type t = field Capnp.Reader.t

    type which =
      | Slot
      | Group
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 8 with
      | 0 -> Slot
      | 1 -> Group
      | n -> Unrecognized n

    let has_name m r = Capnp.Reader.has m r 0
    let[@inline] name m r = Capnp.Reader.text m r 0
    let[@inline] code_order m r = Capnp.Reader.uint16 m r 0
    let has_annotations m r = Capnp.Reader.has m r 1
    let[@inline] annotations m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    let[@inline] discriminant_value m r = Capnp.Reader.uint16 m r 2 lxor 0xffff
    let slot _ r = Capnp.Reader.cast r
    let group _ r = Capnp.Reader.cast r
    let ordinal _ r = Capnp.Reader.cast r
  end

  (** Building in place. *)
  module B = struct
    type t = field Capnp.Builder.struct_

    let set_name b h v = Capnp.Builder.set_text b h 0 v
    let set_code_order b h v = Capnp.Builder.set_uint16 b h 0 v
    let init_annotations b h n = Capnp.Builder.init_struct_list b h 1 n 1 2
    let get_annotations b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    let set_discriminant_value b h v = Capnp.Builder.set_uint16 b h 2 (v lxor 0xffff)
    let init_slot b h =
      Capnp.Builder.set_uint16 b h 8 0; Capnp.Builder.set_uint32 b h 4 0;
      Capnp.Builder.set_null b h 2; Capnp.Builder.set_null b h 3;
      Capnp.Builder.set_bool b h 128 false; Capnp.Builder.cast h
    let init_group b h =
      Capnp.Builder.set_uint16 b h 8 1; Capnp.Builder.set_int64 b h 16 0L; Capnp.Builder.cast h
    let ordinal b h = ignore b; Capnp.Builder.cast h
  end

  module Slot = struct
    type t = field_slot = {
      offset : int;
      type_ : type_ option;
      default_value : value option;
      had_explicit_default : bool;
    }

    let default = read_field_slot Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_field_slot
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_field_slot write_field_slot b h v
    let size = size_field_slot
    let unsafe_put = write_field_slot

    (** Reading in place. *)
    module R = struct
      type t = field_slot Capnp.Reader.t

      let[@inline] offset m r = Capnp.Reader.uint32 m r 4
      let has_type_ m r = Capnp.Reader.has m r 2
      let[@inline] type_ m r = Capnp.Reader.struct_ m r 2
      let has_default_value m r = Capnp.Reader.has m r 3
      let[@inline] default_value m r = Capnp.Reader.struct_ m r 3
      let[@inline] had_explicit_default m r = Capnp.Reader.bool m r 128
    end

    (** Building in place. *)
    module B = struct
      type t = field_slot Capnp.Builder.struct_

      let set_offset b h v = Capnp.Builder.set_uint32 b h 4 v
      let init_type_ b h = Capnp.Builder.init_struct b h 2 3 1
      let get_type_ b h = Capnp.Any.get_struct b h 2 ~data:3 ~pointers:1
      let copy_type_ b h m r = Capnp.Any.copy_struct m r b h 2 ~data:3 ~pointers:1
      let init_default_value b h = Capnp.Builder.init_struct b h 3 2 1
      let get_default_value b h = Capnp.Any.get_struct b h 3 ~data:2 ~pointers:1
      let copy_default_value b h m r = Capnp.Any.copy_struct m r b h 3 ~data:2 ~pointers:1
      let set_had_explicit_default b h v = Capnp.Builder.set_bool b h 128 v
    end
  end

  module Group = struct
    type t = field_group = {
      type_id : int64;
    }

    let default = read_field_group Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_field_group
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_field_group write_field_group b h v
    let size = size_field_group
    let unsafe_put = write_field_group

    (** Reading in place. *)
    module R = struct
      type t = field_group Capnp.Reader.t

      let[@inline] type_id m r = Capnp.Reader.int64 m r 16
    end

    (** Building in place. *)
    module B = struct
      type t = field_group Capnp.Builder.struct_

      let set_type_id b h v = Capnp.Builder.set_int64 b h 16 v
    end
  end

  module Ordinal = struct
    type t = field_ordinal = 
      | Implicit
      | Explicit of int
      | Unrecognized of int

    let default = read_field_ordinal Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_field_ordinal
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 4 size_field_ordinal write_field_ordinal b h v
    let size = size_field_ordinal
    let unsafe_put = write_field_ordinal

    (** Reading in place. *)
    module R = struct
      type t = field_ordinal Capnp.Reader.t

      type which =
        | Implicit
        | Explicit
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 10 with
        | 0 -> Implicit
        | 1 -> Explicit
        | n -> Unrecognized n

      let implicit _ _ = ()
      let[@inline] explicit m r = Capnp.Reader.uint16 m r 12
    end

    (** Building in place. *)
    module B = struct
      type t = field_ordinal Capnp.Builder.struct_

      let set_implicit b h = Capnp.Builder.set_uint16 b h 10 0; ()
      let set_explicit b h v = Capnp.Builder.set_uint16 b h 10 1; Capnp.Builder.set_uint16 b h 12 v
    end
  end
end

module Enumerant = struct
  type t = enumerant = {
    name : string;
    code_order : int;
    annotations : annotation list;
  }

  let decode s = Capnp.Reader.decode read_enumerant s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 2 (size_enumerant v) in
    Capnp.Unsafe.Record.finish buf (write_enumerant buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 2 (size_enumerant v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 2 (write_enumerant buf 16 v 40)
    else Capnp.Unsafe.Record.write 1 2 size_enumerant write_enumerant b v
  let default = read_enumerant Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 2
  let of_reader = read_enumerant
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 2 size_enumerant write_enumerant b h v
  let size = size_enumerant
  let unsafe_put = write_enumerant

  (** Reading in place. *)
  module R = struct
    type t = enumerant Capnp.Reader.t

    let has_name m r = Capnp.Reader.has m r 0
    let[@inline] name m r = Capnp.Reader.text m r 0
    let[@inline] code_order m r = Capnp.Reader.uint16 m r 0
    let has_annotations m r = Capnp.Reader.has m r 1
    let[@inline] annotations m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = enumerant Capnp.Builder.struct_

    let set_name b h v = Capnp.Builder.set_text b h 0 v
    let set_code_order b h v = Capnp.Builder.set_uint16 b h 0 v
    let init_annotations b h n = Capnp.Builder.init_struct_list b h 1 n 1 2
    let get_annotations b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
  end
end

module Superclass = struct
  type t = superclass = {
    id : int64;
    brand : brand option;
  }

  let decode s = Capnp.Reader.decode read_superclass s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 1 (size_superclass v) in
    Capnp.Unsafe.Record.finish buf (write_superclass buf 16 v 32)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 1 (size_superclass v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 1 (write_superclass buf 16 v 32)
    else Capnp.Unsafe.Record.write 1 1 size_superclass write_superclass b v
  let default = read_superclass Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
  let of_reader = read_superclass
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 1 size_superclass write_superclass b h v
  let size = size_superclass
  let unsafe_put = write_superclass

  (** Reading in place. *)
  module R = struct
    type t = superclass Capnp.Reader.t

    let[@inline] id m r = Capnp.Reader.int64 m r 0
    let has_brand m r = Capnp.Reader.has m r 0
    let[@inline] brand m r = Capnp.Reader.struct_ m r 0
  end

  (** Building in place. *)
  module B = struct
    type t = superclass Capnp.Builder.struct_

    let set_id b h v = Capnp.Builder.set_int64 b h 0 v
    let init_brand b h = Capnp.Builder.init_struct b h 0 0 1
    let get_brand b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
    let copy_brand b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
  end
end

module Method = struct
  type t = method_ = {
    name : string;
    code_order : int;
    implicit_parameters : node_parameter list;
    param_struct_type : int64;
    param_brand : brand option;
    result_struct_type : int64;
    result_brand : brand option;
    annotations : annotation list;
  }

  let decode s = Capnp.Reader.decode read_method_ s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 5 (size_method_ v) in
    Capnp.Unsafe.Record.finish buf (write_method_ buf 16 v 80)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 5 (size_method_ v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 5 (write_method_ buf 16 v 80)
    else Capnp.Unsafe.Record.write 3 5 size_method_ write_method_ b v
  let default = read_method_ Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 5
  let of_reader = read_method_
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 5 size_method_ write_method_ b h v
  let size = size_method_
  let unsafe_put = write_method_

  (** Reading in place. *)
  module R = struct
    type t = method_ Capnp.Reader.t

    let has_name m r = Capnp.Reader.has m r 0
    let[@inline] name m r = Capnp.Reader.text m r 0
    let[@inline] code_order m r = Capnp.Reader.uint16 m r 0
    let has_implicit_parameters m r = Capnp.Reader.has m r 4
    let[@inline] implicit_parameters m r = Capnp.Reader.list m r 4 Capnp.Kind.struct_
    let[@inline] param_struct_type m r = Capnp.Reader.int64 m r 8
    let has_param_brand m r = Capnp.Reader.has m r 2
    let[@inline] param_brand m r = Capnp.Reader.struct_ m r 2
    let[@inline] result_struct_type m r = Capnp.Reader.int64 m r 16
    let has_result_brand m r = Capnp.Reader.has m r 3
    let[@inline] result_brand m r = Capnp.Reader.struct_ m r 3
    let has_annotations m r = Capnp.Reader.has m r 1
    let[@inline] annotations m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = method_ Capnp.Builder.struct_

    let set_name b h v = Capnp.Builder.set_text b h 0 v
    let set_code_order b h v = Capnp.Builder.set_uint16 b h 0 v
    let init_implicit_parameters b h n = Capnp.Builder.init_struct_list b h 4 n 0 1
    let get_implicit_parameters b h = Capnp.Builder.get_items b h 4 Capnp.Kind.struct_
    let set_param_struct_type b h v = Capnp.Builder.set_int64 b h 8 v
    let init_param_brand b h = Capnp.Builder.init_struct b h 2 0 1
    let get_param_brand b h = Capnp.Any.get_struct b h 2 ~data:0 ~pointers:1
    let copy_param_brand b h m r = Capnp.Any.copy_struct m r b h 2 ~data:0 ~pointers:1
    let set_result_struct_type b h v = Capnp.Builder.set_int64 b h 16 v
    let init_result_brand b h = Capnp.Builder.init_struct b h 3 0 1
    let get_result_brand b h = Capnp.Any.get_struct b h 3 ~data:0 ~pointers:1
    let copy_result_brand b h m r = Capnp.Any.copy_struct m r b h 3 ~data:0 ~pointers:1
    let init_annotations b h n = Capnp.Builder.init_struct_list b h 1 n 1 2
    let get_annotations b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
  end
end

module Type = struct
  type t = type_ = 
    | Void
    | Bool
    | Int8
    | Int16
    | Int32
    | Int64
    | Uint8
    | Uint16
    | Uint32
    | Uint64
    | Float32
    | Float64
    | Text
    | Data
    | List of type_list
    | Enum of type_enum
    | Struct of type_struct
    | Interface of type_interface
    | Any_pointer of type_any_pointer
    | Unrecognized of int

  let decode s = Capnp.Reader.decode read_type_ s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 3 1 (size_type_ v) in
    Capnp.Unsafe.Record.finish buf (write_type_ buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 3 1 (size_type_ v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 3 1 (write_type_ buf 16 v 48)
    else Capnp.Unsafe.Record.write 3 1 size_type_ write_type_ b v
  let default = read_type_ Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 3 1
  let of_reader = read_type_
  let to_builder b h v = Capnp.Unsafe.Record.fill 3 1 size_type_ write_type_ b h v
  let size = size_type_
  let unsafe_put = write_type_

  (** Reading in place. *)
  module R = struct
    type t = type_ Capnp.Reader.t

    type which =
      | Void
      | Bool
      | Int8
      | Int16
      | Int32
      | Int64
      | Uint8
      | Uint16
      | Uint32
      | Uint64
      | Float32
      | Float64
      | Text
      | Data
      | List
      | Enum
      | Struct
      | Interface
      | Any_pointer
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 0 with
      | 0 -> Void
      | 1 -> Bool
      | 2 -> Int8
      | 3 -> Int16
      | 4 -> Int32
      | 5 -> Int64
      | 6 -> Uint8
      | 7 -> Uint16
      | 8 -> Uint32
      | 9 -> Uint64
      | 10 -> Float32
      | 11 -> Float64
      | 12 -> Text
      | 13 -> Data
      | 14 -> List
      | 15 -> Enum
      | 16 -> Struct
      | 17 -> Interface
      | 18 -> Any_pointer
      | n -> Unrecognized n

    let void _ _ = ()
    let bool _ _ = ()
    let int8 _ _ = ()
    let int16 _ _ = ()
    let int32 _ _ = ()
    let int64 _ _ = ()
    let uint8 _ _ = ()
    let uint16 _ _ = ()
    let uint32 _ _ = ()
    let uint64 _ _ = ()
    let float32 _ _ = ()
    let float64 _ _ = ()
    let text _ _ = ()
    let data _ _ = ()
    let list _ r = Capnp.Reader.cast r
    let enum _ r = Capnp.Reader.cast r
    let struct_ _ r = Capnp.Reader.cast r
    let interface _ r = Capnp.Reader.cast r
    let any_pointer _ r = Capnp.Reader.cast r
  end

  (** Building in place. *)
  module B = struct
    type t = type_ Capnp.Builder.struct_

    let set_void b h = Capnp.Builder.set_uint16 b h 0 0; ()
    let set_bool b h = Capnp.Builder.set_uint16 b h 0 1; ()
    let set_int8 b h = Capnp.Builder.set_uint16 b h 0 2; ()
    let set_int16 b h = Capnp.Builder.set_uint16 b h 0 3; ()
    let set_int32 b h = Capnp.Builder.set_uint16 b h 0 4; ()
    let set_int64 b h = Capnp.Builder.set_uint16 b h 0 5; ()
    let set_uint8 b h = Capnp.Builder.set_uint16 b h 0 6; ()
    let set_uint16 b h = Capnp.Builder.set_uint16 b h 0 7; ()
    let set_uint32 b h = Capnp.Builder.set_uint16 b h 0 8; ()
    let set_uint64 b h = Capnp.Builder.set_uint16 b h 0 9; ()
    let set_float32 b h = Capnp.Builder.set_uint16 b h 0 10; ()
    let set_float64 b h = Capnp.Builder.set_uint16 b h 0 11; ()
    let set_text b h = Capnp.Builder.set_uint16 b h 0 12; ()
    let set_data b h = Capnp.Builder.set_uint16 b h 0 13; ()
    let init_list b h =
      Capnp.Builder.set_uint16 b h 0 14; Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let init_enum b h =
      Capnp.Builder.set_uint16 b h 0 15; Capnp.Builder.set_int64 b h 8 0L;
      Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let init_struct_ b h =
      Capnp.Builder.set_uint16 b h 0 16; Capnp.Builder.set_int64 b h 8 0L;
      Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let init_interface b h =
      Capnp.Builder.set_uint16 b h 0 17; Capnp.Builder.set_int64 b h 8 0L;
      Capnp.Builder.set_null b h 0; Capnp.Builder.cast h
    let init_any_pointer b h =
      Capnp.Builder.set_uint16 b h 0 18; Capnp.Builder.set_uint16 b h 8 0;
      Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.set_int64 b h 16 0L;
      Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.cast h
  end

  module List = struct
    type t = type_list = {
      element_type : type_ option;
    }

    let default = read_type_list Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_type_list
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 1 size_type_list write_type_list b h v
    let size = size_type_list
    let unsafe_put = write_type_list

    (** Reading in place. *)
    module R = struct
      type t = type_list Capnp.Reader.t

      let has_element_type m r = Capnp.Reader.has m r 0
      let[@inline] element_type m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = type_list Capnp.Builder.struct_

      let init_element_type b h = Capnp.Builder.init_struct b h 0 3 1
      let get_element_type b h = Capnp.Any.get_struct b h 0 ~data:3 ~pointers:1
      let copy_element_type b h m r = Capnp.Any.copy_struct m r b h 0 ~data:3 ~pointers:1
    end
  end

  module Enum = struct
    type t = type_enum = {
      type_id : int64;
      brand : brand option;
    }

    let default = read_type_enum Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_type_enum
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 1 size_type_enum write_type_enum b h v
    let size = size_type_enum
    let unsafe_put = write_type_enum

    (** Reading in place. *)
    module R = struct
      type t = type_enum Capnp.Reader.t

      let[@inline] type_id m r = Capnp.Reader.int64 m r 8
      let has_brand m r = Capnp.Reader.has m r 0
      let[@inline] brand m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = type_enum Capnp.Builder.struct_

      let set_type_id b h v = Capnp.Builder.set_int64 b h 8 v
      let init_brand b h = Capnp.Builder.init_struct b h 0 0 1
      let get_brand b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
      let copy_brand b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
    end
  end

  module Struct = struct
    type t = type_struct = {
      type_id : int64;
      brand : brand option;
    }

    let default = read_type_struct Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_type_struct
    let to_builder b h v = Capnp.Unsafe.Record.fill 3 1 size_type_struct write_type_struct b h v
    let size = size_type_struct
    let unsafe_put = write_type_struct

    (** Reading in place. *)
    module R = struct
      type t = type_struct Capnp.Reader.t

      let[@inline] type_id m r = Capnp.Reader.int64 m r 8
      let has_brand m r = Capnp.Reader.has m r 0
      let[@inline] brand m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = type_struct Capnp.Builder.struct_

      let set_type_id b h v = Capnp.Builder.set_int64 b h 8 v
      let init_brand b h = Capnp.Builder.init_struct b h 0 0 1
      let get_brand b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
      let copy_brand b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
    end
  end

  module Interface = struct
    type t = type_interface = {
      type_id : int64;
      brand : brand option;
    }

    let default = read_type_interface Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_type_interface
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 3 1 size_type_interface write_type_interface b h v
    let size = size_type_interface
    let unsafe_put = write_type_interface

    (** Reading in place. *)
    module R = struct
      type t = type_interface Capnp.Reader.t

      let[@inline] type_id m r = Capnp.Reader.int64 m r 8
      let has_brand m r = Capnp.Reader.has m r 0
      let[@inline] brand m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = type_interface Capnp.Builder.struct_

      let set_type_id b h v = Capnp.Builder.set_int64 b h 8 v
      let init_brand b h = Capnp.Builder.init_struct b h 0 0 1
      let get_brand b h = Capnp.Any.get_struct b h 0 ~data:0 ~pointers:1
      let copy_brand b h m r = Capnp.Any.copy_struct m r b h 0 ~data:0 ~pointers:1
    end
  end

  module Any_pointer = struct
    type t = type_any_pointer = 
      | Unconstrained of type_any_pointer_unconstrained
      | Parameter of type_any_pointer_parameter
      | Implicit_method_parameter of type_any_pointer_implicit_method_parameter
      | Unrecognized of int

    let default = read_type_any_pointer Capnp.Reader.nothing Capnp.Reader.null
    let of_reader = read_type_any_pointer
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 3 1 size_type_any_pointer write_type_any_pointer b h v
    let size = size_type_any_pointer
    let unsafe_put = write_type_any_pointer

    (** Reading in place. *)
    module R = struct
      type t = type_any_pointer Capnp.Reader.t

      type which =
        | Unconstrained
        | Parameter
        | Implicit_method_parameter
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 8 with
        | 0 -> Unconstrained
        | 1 -> Parameter
        | 2 -> Implicit_method_parameter
        | n -> Unrecognized n

      let unconstrained _ r = Capnp.Reader.cast r
      let parameter _ r = Capnp.Reader.cast r
      let implicit_method_parameter _ r = Capnp.Reader.cast r
    end

    (** Building in place. *)
    module B = struct
      type t = type_any_pointer Capnp.Builder.struct_

      let init_unconstrained b h =
        Capnp.Builder.set_uint16 b h 8 0; Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.cast h
      let init_parameter b h =
        Capnp.Builder.set_uint16 b h 8 1; Capnp.Builder.set_int64 b h 16 0L;
        Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.cast h
      let init_implicit_method_parameter b h =
        Capnp.Builder.set_uint16 b h 8 2; Capnp.Builder.set_uint16 b h 10 0; Capnp.Builder.cast h
    end

    module Unconstrained = struct
      type t = type_any_pointer_unconstrained = 
        | Any_kind
        | Struct
        | List
        | Capability
        | Unrecognized of int

      let default = read_type_any_pointer_unconstrained Capnp.Reader.nothing Capnp.Reader.null
      let of_reader = read_type_any_pointer_unconstrained
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 3 1 size_type_any_pointer_unconstrained
          write_type_any_pointer_unconstrained b h v
      let size = size_type_any_pointer_unconstrained
      let unsafe_put = write_type_any_pointer_unconstrained

      (** Reading in place. *)
      module R = struct
        type t = type_any_pointer_unconstrained Capnp.Reader.t

        type which =
          | Any_kind
          | Struct
          | List
          | Capability
          | Unrecognized of int

        let which m r : which =
          match Capnp.Reader.uint16 m r 10 with
          | 0 -> Any_kind
          | 1 -> Struct
          | 2 -> List
          | 3 -> Capability
          | n -> Unrecognized n

        let any_kind _ _ = ()
        let struct_ _ _ = ()
        let list _ _ = ()
        let capability _ _ = ()
      end

      (** Building in place. *)
      module B = struct
        type t = type_any_pointer_unconstrained Capnp.Builder.struct_

        let set_any_kind b h = Capnp.Builder.set_uint16 b h 10 0; ()
        let set_struct_ b h = Capnp.Builder.set_uint16 b h 10 1; ()
        let set_list b h = Capnp.Builder.set_uint16 b h 10 2; ()
        let set_capability b h = Capnp.Builder.set_uint16 b h 10 3; ()
      end
    end

    module Parameter = struct
      type t = type_any_pointer_parameter = {
        scope_id : int64;
        parameter_index : int;
      }

      let default = read_type_any_pointer_parameter Capnp.Reader.nothing Capnp.Reader.null
      let of_reader = read_type_any_pointer_parameter
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 3 1 size_type_any_pointer_parameter
          write_type_any_pointer_parameter b h v
      let size = size_type_any_pointer_parameter
      let unsafe_put = write_type_any_pointer_parameter

      (** Reading in place. *)
      module R = struct
        type t = type_any_pointer_parameter Capnp.Reader.t

        let[@inline] scope_id m r = Capnp.Reader.int64 m r 16
        let[@inline] parameter_index m r = Capnp.Reader.uint16 m r 10
      end

      (** Building in place. *)
      module B = struct
        type t = type_any_pointer_parameter Capnp.Builder.struct_

        let set_scope_id b h v = Capnp.Builder.set_int64 b h 16 v
        let set_parameter_index b h v = Capnp.Builder.set_uint16 b h 10 v
      end
    end

    module Implicit_method_parameter = struct
      type t = type_any_pointer_implicit_method_parameter = {
        parameter_index : int;
      }

      let default =
        read_type_any_pointer_implicit_method_parameter Capnp.Reader.nothing Capnp.Reader.null
      let of_reader = read_type_any_pointer_implicit_method_parameter
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 3 1 size_type_any_pointer_implicit_method_parameter
          write_type_any_pointer_implicit_method_parameter b h v
      let size = size_type_any_pointer_implicit_method_parameter
      let unsafe_put = write_type_any_pointer_implicit_method_parameter

      (** Reading in place. *)
      module R = struct
        type t = type_any_pointer_implicit_method_parameter Capnp.Reader.t

        let[@inline] parameter_index m r = Capnp.Reader.uint16 m r 10
      end

      (** Building in place. *)
      module B = struct
        type t = type_any_pointer_implicit_method_parameter Capnp.Builder.struct_

        let set_parameter_index b h v = Capnp.Builder.set_uint16 b h 10 v
      end
    end
  end
end

module Brand = struct
  type t = brand = {
    scopes : brand_scope list;
  }

  let decode s = Capnp.Reader.decode read_brand s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 1 (size_brand v) in
    Capnp.Unsafe.Record.finish buf (write_brand buf 16 v 24)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 1 (size_brand v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 1 (write_brand buf 16 v 24)
    else Capnp.Unsafe.Record.write 0 1 size_brand write_brand b v
  let default = read_brand Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 1
  let of_reader = read_brand
  let to_builder b h v = Capnp.Unsafe.Record.fill 0 1 size_brand write_brand b h v
  let size = size_brand
  let unsafe_put = write_brand

  (** Reading in place. *)
  module R = struct
    type t = brand Capnp.Reader.t

    let has_scopes m r = Capnp.Reader.has m r 0
    let[@inline] scopes m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = brand Capnp.Builder.struct_

    let init_scopes b h n = Capnp.Builder.init_struct_list b h 0 n 2 1
    let get_scopes b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
  end

  module Scope = struct
    type which = brand_scope_which =
      | Bind of brand_binding list
      | Inherit
      | Unrecognized of int

    type t = brand_scope = {
      scope_id : int64;
      which : which;
    }

    let decode s = Capnp.Reader.decode read_brand_scope s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 2 1 (size_brand_scope v) in
      Capnp.Unsafe.Record.finish buf (write_brand_scope buf 16 v 40)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 2 1 (size_brand_scope v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 2 1 (write_brand_scope buf 16 v 40)
      else Capnp.Unsafe.Record.write 2 1 size_brand_scope write_brand_scope b v
    let default = read_brand_scope Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 1
    let of_reader = read_brand_scope
    let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_brand_scope write_brand_scope b h v
    let size = size_brand_scope
    let unsafe_put = write_brand_scope

    (** Reading in place. *)
    module R = struct
      type t = brand_scope Capnp.Reader.t

      type which =
        | Bind
        | Inherit
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 8 with
        | 0 -> Bind
        | 1 -> Inherit
        | n -> Unrecognized n

      let[@inline] scope_id m r = Capnp.Reader.int64 m r 0
      let has_bind m r = Capnp.Reader.has m r 0
      let[@inline] bind m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
      let inherit_ _ _ = ()
    end

    (** Building in place. *)
    module B = struct
      type t = brand_scope Capnp.Builder.struct_

      let set_scope_id b h v = Capnp.Builder.set_int64 b h 0 v
      let init_bind b h n =
        Capnp.Builder.set_uint16 b h 8 0; Capnp.Builder.init_struct_list b h 0 n 1 1
      let get_bind b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
      let set_inherit_ b h = Capnp.Builder.set_uint16 b h 8 1; ()
    end
  end

  module Binding = struct
    type t = brand_binding = 
      | Unbound
      | Type of type_ option
      | Unrecognized of int

    let decode s = Capnp.Reader.decode read_brand_binding s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 1 (size_brand_binding v) in
      Capnp.Unsafe.Record.finish buf (write_brand_binding buf 16 v 32)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 1 (size_brand_binding v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 1 (write_brand_binding buf 16 v 32)
      else Capnp.Unsafe.Record.write 1 1 size_brand_binding write_brand_binding b v
    let default = read_brand_binding Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
    let of_reader = read_brand_binding
    let to_builder b h v = Capnp.Unsafe.Record.fill 1 1 size_brand_binding write_brand_binding b h v
    let size = size_brand_binding
    let unsafe_put = write_brand_binding

    (** Reading in place. *)
    module R = struct
      type t = brand_binding Capnp.Reader.t

      type which =
        | Unbound
        | Type
        | Unrecognized of int

      let which m r : which =
        match Capnp.Reader.uint16 m r 0 with
        | 0 -> Unbound
        | 1 -> Type
        | n -> Unrecognized n

      let unbound _ _ = ()
      let has_type_ m r = Capnp.Reader.has m r 0
      let[@inline] type_ m r = Capnp.Reader.struct_ m r 0
    end

    (** Building in place. *)
    module B = struct
      type t = brand_binding Capnp.Builder.struct_

      let set_unbound b h = Capnp.Builder.set_uint16 b h 0 0; ()
      let init_type_ b h = Capnp.Builder.set_uint16 b h 0 1; Capnp.Builder.init_struct b h 0 3 1
      let get_type_ b h = Capnp.Any.get_struct b h 0 ~data:3 ~pointers:1
      let copy_type_ b h m r =
        Capnp.Builder.set_uint16 b h 0 1; Capnp.Any.copy_struct m r b h 0 ~data:3 ~pointers:1
    end
  end
end

module Value = struct
  type t = value = 
    | Void
    | Bool of bool
    | Int8 of int
    | Int16 of int
    | Int32 of int
    | Int64 of int64
    | Uint8 of int
    | Uint16 of int
    | Uint32 of int
    | Uint64 of int64
    | Float32 of float
    | Float64 of float
    | Text of string
    | Data of string
    | List of Capnp.Any.detached
    | Enum of int
    | Struct of Capnp.Any.detached
    | Interface
    | Any_pointer of Capnp.Any.detached
    | Unrecognized of int

  let decode s = Capnp.Reader.decode read_value s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 2 1 (size_value v) in
    Capnp.Unsafe.Record.finish buf (write_value buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 2 1 (size_value v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 2 1 (write_value buf 16 v 40)
    else Capnp.Unsafe.Record.write 2 1 size_value write_value b v
  let default = read_value Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 2 1
  let of_reader = read_value
  let to_builder b h v = Capnp.Unsafe.Record.fill 2 1 size_value write_value b h v
  let size = size_value
  let unsafe_put = write_value

  (** Reading in place. *)
  module R = struct
    type t = value Capnp.Reader.t

    type which =
      | Void
      | Bool
      | Int8
      | Int16
      | Int32
      | Int64
      | Uint8
      | Uint16
      | Uint32
      | Uint64
      | Float32
      | Float64
      | Text
      | Data
      | List
      | Enum
      | Struct
      | Interface
      | Any_pointer
      | Unrecognized of int

    let which m r : which =
      match Capnp.Reader.uint16 m r 0 with
      | 0 -> Void
      | 1 -> Bool
      | 2 -> Int8
      | 3 -> Int16
      | 4 -> Int32
      | 5 -> Int64
      | 6 -> Uint8
      | 7 -> Uint16
      | 8 -> Uint32
      | 9 -> Uint64
      | 10 -> Float32
      | 11 -> Float64
      | 12 -> Text
      | 13 -> Data
      | 14 -> List
      | 15 -> Enum
      | 16 -> Struct
      | 17 -> Interface
      | 18 -> Any_pointer
      | n -> Unrecognized n

    let void _ _ = ()
    let[@inline] bool m r = Capnp.Reader.bool m r 16
    let[@inline] int8 m r = Capnp.Reader.int8 m r 2
    let[@inline] int16 m r = Capnp.Reader.int16 m r 2
    let[@inline] int32 m r = Capnp.Reader.int32 m r 4
    let[@inline] int64 m r = Capnp.Reader.int64 m r 8
    let[@inline] uint8 m r = Capnp.Reader.uint8 m r 2
    let[@inline] uint16 m r = Capnp.Reader.uint16 m r 2
    let[@inline] uint32 m r = Capnp.Reader.uint32 m r 4
    let[@inline] uint64 m r = Capnp.Reader.int64 m r 8
    let[@inline] float32 m r = Capnp.Reader.float32 m r 4
    let[@inline] float64 m r = Capnp.Reader.float64 m r 8
    let has_text m r = Capnp.Reader.has m r 0
    let[@inline] text m r = Capnp.Reader.text m r 0
    let has_data m r = Capnp.Reader.has m r 0
    let[@inline] data m r = Capnp.Reader.data m r 0
    let has_list m r = Capnp.Reader.has m r 0
    let[@inline] list m r = Capnp.Any.field m r 0
    let[@inline] enum m r = Capnp.Reader.uint16 m r 2
    let has_struct_ m r = Capnp.Reader.has m r 0
    let[@inline] struct_ m r = Capnp.Any.field m r 0
    let interface _ _ = ()
    let has_any_pointer m r = Capnp.Reader.has m r 0
    let[@inline] any_pointer m r = Capnp.Any.field m r 0
  end

  (** Building in place. *)
  module B = struct
    type t = value Capnp.Builder.struct_

    let set_void b h = Capnp.Builder.set_uint16 b h 0 0; ()
    let set_bool b h v = Capnp.Builder.set_uint16 b h 0 1; Capnp.Builder.set_bool b h 16 v
    let set_int8 b h v = Capnp.Builder.set_uint16 b h 0 2; Capnp.Builder.set_uint8 b h 2 v
    let set_int16 b h v = Capnp.Builder.set_uint16 b h 0 3; Capnp.Builder.set_uint16 b h 2 v
    let set_int32 b h v = Capnp.Builder.set_uint16 b h 0 4; Capnp.Builder.set_uint32 b h 4 v
    let set_int64 b h v = Capnp.Builder.set_uint16 b h 0 5; Capnp.Builder.set_int64 b h 8 v
    let set_uint8 b h v = Capnp.Builder.set_uint16 b h 0 6; Capnp.Builder.set_uint8 b h 2 v
    let set_uint16 b h v = Capnp.Builder.set_uint16 b h 0 7; Capnp.Builder.set_uint16 b h 2 v
    let set_uint32 b h v = Capnp.Builder.set_uint16 b h 0 8; Capnp.Builder.set_uint32 b h 4 v
    let set_uint64 b h v = Capnp.Builder.set_uint16 b h 0 9; Capnp.Builder.set_int64 b h 8 v
    let set_float32 b h v = Capnp.Builder.set_uint16 b h 0 10; Capnp.Builder.set_float32 b h 4 v
    let set_float64 b h v = Capnp.Builder.set_uint16 b h 0 11; Capnp.Builder.set_float64 b h 8 v
    let set_text b h v = Capnp.Builder.set_uint16 b h 0 12; Capnp.Builder.set_text b h 0 v
    let set_data b h v = Capnp.Builder.set_uint16 b h 0 13; Capnp.Builder.set_data b h 0 v
    let set_list b h v = Capnp.Builder.set_uint16 b h 0 14; Capnp.Any.set b h 0 v
    let set_enum b h v = Capnp.Builder.set_uint16 b h 0 15; Capnp.Builder.set_uint16 b h 2 v
    let set_struct_ b h v = Capnp.Builder.set_uint16 b h 0 16; Capnp.Any.set b h 0 v
    let set_interface b h = Capnp.Builder.set_uint16 b h 0 17; ()
    let set_any_pointer b h v = Capnp.Builder.set_uint16 b h 0 18; Capnp.Any.set b h 0 v
  end
end

module Annotation = struct
  type t = annotation = {
    id : int64;
    brand : brand option;
    value : value option;
  }

  let decode s = Capnp.Reader.decode read_annotation s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 2 (size_annotation v) in
    Capnp.Unsafe.Record.finish buf (write_annotation buf 16 v 40)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 2 (size_annotation v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 2 (write_annotation buf 16 v 40)
    else Capnp.Unsafe.Record.write 1 2 size_annotation write_annotation b v
  let default = read_annotation Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 2
  let of_reader = read_annotation
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 2 size_annotation write_annotation b h v
  let size = size_annotation
  let unsafe_put = write_annotation

  (** Reading in place. *)
  module R = struct
    type t = annotation Capnp.Reader.t

    let[@inline] id m r = Capnp.Reader.int64 m r 0
    let has_brand m r = Capnp.Reader.has m r 1
    let[@inline] brand m r = Capnp.Reader.struct_ m r 1
    let has_value m r = Capnp.Reader.has m r 0
    let[@inline] value m r = Capnp.Reader.struct_ m r 0
  end

  (** Building in place. *)
  module B = struct
    type t = annotation Capnp.Builder.struct_

    let set_id b h v = Capnp.Builder.set_int64 b h 0 v
    let init_brand b h = Capnp.Builder.init_struct b h 1 0 1
    let get_brand b h = Capnp.Any.get_struct b h 1 ~data:0 ~pointers:1
    let copy_brand b h m r = Capnp.Any.copy_struct m r b h 1 ~data:0 ~pointers:1
    let init_value b h = Capnp.Builder.init_struct b h 0 2 1
    let get_value b h = Capnp.Any.get_struct b h 0 ~data:2 ~pointers:1
    let copy_value b h m r = Capnp.Any.copy_struct m r b h 0 ~data:2 ~pointers:1
  end
end

module Element_size = struct
  type t = element_size =
    | Empty
    | Bit
    | Byte
    | Two_bytes
    | Four_bytes
    | Eight_bytes
    | Pointer
    | Inline_composite
    | Unrecognized of int

  let of_int = element_size_of_int
  let to_int = element_size_to_int
  let item m (l : t Capnp.Items.t) i = of_int (Capnp.Items.uint16 m l i)
  let put b (l : t Capnp.Builder.items) i v = Capnp.Builder.put_uint16 b l i (to_int v)
end

module Capnp_version = struct
  type t = capnp_version = {
    major : int;
    minor : int;
    micro : int;
  }

  let decode s = Capnp.Reader.decode read_capnp_version s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 1 0 (size_capnp_version v) in
    Capnp.Unsafe.Record.finish buf (write_capnp_version buf 16 v 24)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 1 0 (size_capnp_version v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 1 0 (write_capnp_version buf 16 v 24)
    else Capnp.Unsafe.Record.write 1 0 size_capnp_version write_capnp_version b v
  let default = read_capnp_version Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 0
  let of_reader = read_capnp_version
  let to_builder b h v = Capnp.Unsafe.Record.fill 1 0 size_capnp_version write_capnp_version b h v
  let size = size_capnp_version
  let unsafe_put = write_capnp_version

  (** Reading in place. *)
  module R = struct
    type t = capnp_version Capnp.Reader.t

    let[@inline] major m r = Capnp.Reader.uint16 m r 0
    let[@inline] minor m r = Capnp.Reader.uint8 m r 2
    let[@inline] micro m r = Capnp.Reader.uint8 m r 3
  end

  (** Building in place. *)
  module B = struct
    type t = capnp_version Capnp.Builder.struct_

    let set_major b h v = Capnp.Builder.set_uint16 b h 0 v
    let set_minor b h v = Capnp.Builder.set_uint8 b h 2 v
    let set_micro b h v = Capnp.Builder.set_uint8 b h 3 v
  end
end

module Code_generator_request = struct
  type t = code_generator_request = {
    capnp_version : capnp_version option;
    nodes : node list;
    source_info : node_source_info list;
    requested_files : code_generator_request_requested_file list;
  }

  let decode s = Capnp.Reader.decode read_code_generator_request s
  let encode v =
    let buf = Capnp.Unsafe.Record.start 0 4 (size_code_generator_request v) in
    Capnp.Unsafe.Record.finish buf (write_code_generator_request buf 16 v 48)
  let write b v =
    let buf = Capnp.Unsafe.Record.restart b 0 4 (size_code_generator_request v) in
    if Bytes.length buf > 0 then
      Capnp.Unsafe.Record.built b buf 0 4 (write_code_generator_request buf 16 v 48)
    else Capnp.Unsafe.Record.write 0 4 size_code_generator_request write_code_generator_request b v
  let default = read_code_generator_request Capnp.Reader.nothing Capnp.Reader.null
  let root m : t Capnp.Reader.t = Capnp.Reader.root m
  let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 0 4
  let of_reader = read_code_generator_request
  let to_builder b h v =
    Capnp.Unsafe.Record.fill 0 4 size_code_generator_request write_code_generator_request b h v
  let size = size_code_generator_request
  let unsafe_put = write_code_generator_request

  (** Reading in place. *)
  module R = struct
    type t = code_generator_request Capnp.Reader.t

    let has_capnp_version m r = Capnp.Reader.has m r 2
    let[@inline] capnp_version m r = Capnp.Reader.struct_ m r 2
    let has_nodes m r = Capnp.Reader.has m r 0
    let[@inline] nodes m r = Capnp.Reader.list m r 0 Capnp.Kind.struct_
    let has_source_info m r = Capnp.Reader.has m r 3
    let[@inline] source_info m r = Capnp.Reader.list m r 3 Capnp.Kind.struct_
    let has_requested_files m r = Capnp.Reader.has m r 1
    let[@inline] requested_files m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
  end

  (** Building in place. *)
  module B = struct
    type t = code_generator_request Capnp.Builder.struct_

    let init_capnp_version b h = Capnp.Builder.init_struct b h 2 1 0
    let get_capnp_version b h = Capnp.Any.get_struct b h 2 ~data:1 ~pointers:0
    let copy_capnp_version b h m r = Capnp.Any.copy_struct m r b h 2 ~data:1 ~pointers:0
    let init_nodes b h n = Capnp.Builder.init_struct_list b h 0 n 5 6
    let get_nodes b h = Capnp.Builder.get_items b h 0 Capnp.Kind.struct_
    let init_source_info b h n = Capnp.Builder.init_struct_list b h 3 n 1 2
    let get_source_info b h = Capnp.Builder.get_items b h 3 Capnp.Kind.struct_
    let init_requested_files b h n = Capnp.Builder.init_struct_list b h 1 n 1 2
    let get_requested_files b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
  end

  module Requested_file = struct
    type t = code_generator_request_requested_file = {
      id : int64;
      filename : string;
      imports : code_generator_request_requested_file_import list;
    }

    let decode s = Capnp.Reader.decode read_code_generator_request_requested_file s
    let encode v =
      let buf = Capnp.Unsafe.Record.start 1 2 (size_code_generator_request_requested_file v) in
      Capnp.Unsafe.Record.finish buf (write_code_generator_request_requested_file buf 16 v 40)
    let write b v =
      let buf = Capnp.Unsafe.Record.restart b 1 2 (size_code_generator_request_requested_file v) in
      if Bytes.length buf > 0 then
        Capnp.Unsafe.Record.built b buf 1 2
          (write_code_generator_request_requested_file buf 16 v 40)
      else Capnp.Unsafe.Record.write 1 2 size_code_generator_request_requested_file
        write_code_generator_request_requested_file b v
    let default = read_code_generator_request_requested_file Capnp.Reader.nothing Capnp.Reader.null
    let root m : t Capnp.Reader.t = Capnp.Reader.root m
    let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 2
    let of_reader = read_code_generator_request_requested_file
    let to_builder b h v =
      Capnp.Unsafe.Record.fill 1 2 size_code_generator_request_requested_file
        write_code_generator_request_requested_file b h v
    let size = size_code_generator_request_requested_file
    let unsafe_put = write_code_generator_request_requested_file

    (** Reading in place. *)
    module R = struct
      type t = code_generator_request_requested_file Capnp.Reader.t

      let[@inline] id m r = Capnp.Reader.int64 m r 0
      let has_filename m r = Capnp.Reader.has m r 0
      let[@inline] filename m r = Capnp.Reader.text m r 0
      let has_imports m r = Capnp.Reader.has m r 1
      let[@inline] imports m r = Capnp.Reader.list m r 1 Capnp.Kind.struct_
    end

    (** Building in place. *)
    module B = struct
      type t = code_generator_request_requested_file Capnp.Builder.struct_

      let set_id b h v = Capnp.Builder.set_int64 b h 0 v
      let set_filename b h v = Capnp.Builder.set_text b h 0 v
      let init_imports b h n = Capnp.Builder.init_struct_list b h 1 n 1 1
      let get_imports b h = Capnp.Builder.get_items b h 1 Capnp.Kind.struct_
    end

    module Import = struct
      type t = code_generator_request_requested_file_import = {
        id : int64;
        name : string;
      }

      let decode s = Capnp.Reader.decode read_code_generator_request_requested_file_import s
      let encode v =
        let buf =
          Capnp.Unsafe.Record.start 1 1 (size_code_generator_request_requested_file_import v) in
        Capnp.Unsafe.Record.finish buf
          (write_code_generator_request_requested_file_import buf 16 v 32)
      let write b v =
        let buf =
          Capnp.Unsafe.Record.restart b 1 1 (size_code_generator_request_requested_file_import v) in
        if Bytes.length buf > 0 then
          Capnp.Unsafe.Record.built b buf 1 1
            (write_code_generator_request_requested_file_import buf 16 v 32)
        else Capnp.Unsafe.Record.write 1 1 size_code_generator_request_requested_file_import
          write_code_generator_request_requested_file_import b v
      let default =
        read_code_generator_request_requested_file_import Capnp.Reader.nothing Capnp.Reader.null
      let root m : t Capnp.Reader.t = Capnp.Reader.root m
      let init b : t Capnp.Builder.struct_ = Capnp.Builder.init_root b 1 1
      let of_reader = read_code_generator_request_requested_file_import
      let to_builder b h v =
        Capnp.Unsafe.Record.fill 1 1 size_code_generator_request_requested_file_import
          write_code_generator_request_requested_file_import b h v
      let size = size_code_generator_request_requested_file_import
      let unsafe_put = write_code_generator_request_requested_file_import

      (** Reading in place. *)
      module R = struct
        type t = code_generator_request_requested_file_import Capnp.Reader.t

        let[@inline] id m r = Capnp.Reader.int64 m r 0
        let has_name m r = Capnp.Reader.has m r 0
        let[@inline] name m r = Capnp.Reader.text m r 0
      end

      (** Building in place. *)
      module B = struct
        type t = code_generator_request_requested_file_import Capnp.Builder.struct_

        let set_id b h v = Capnp.Builder.set_int64 b h 0 v
        let set_name b h v = Capnp.Builder.set_text b h 0 v
      end
    end
  end
end
