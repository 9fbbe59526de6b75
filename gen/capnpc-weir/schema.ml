module Reader = Weir_capnp.Reader

type request
type requested_file
type import
type node
type nested_node
type source_info
type member
type field
type enumerant
type method_
type type_
type value

let structs m r i = Reader.list m r i Weir_capnp.Kind.struct_

module Node = struct
  type which = File | Struct | Enum | Interface | Const | Annotation | Unrecognized of int

  let which m r =
    match Reader.uint16 m r 12 with
    | 0 -> File
    | 1 -> Struct
    | 2 -> Enum
    | 3 -> Interface
    | 4 -> Const
    | 5 -> Annotation
    | n -> Unrecognized n

  let id m r = Reader.int64 m r 0
  let display_name m r = Reader.text m r 0
  let display_name_prefix_length m r = Reader.uint32 m r 8
  let scope_id m r = Reader.int64 m r 16
  let is_generic m r = Reader.bool m r 288
  let nested_nodes m r = structs m r 1
  let data_word_count m r = Reader.uint16 m r 14
  let pointer_count m r = Reader.uint16 m r 24
  let discriminant_offset m r = Reader.uint32 m r 32
  let fields m r = structs m r 3
  let enumerants m r = structs m r 3
  let methods m r = structs m r 3
  let const_type m r = Reader.struct_ m r 3
  let const_value m r = Reader.struct_ m r 4
end

module Nested_node = struct
  let name m r = Reader.text m r 0
  let id m r = Reader.int64 m r 0
end

module Source_info = struct
  let id m r = Reader.int64 m r 0
  let doc_comment m r = Reader.text m r 0
  let members m r = structs m r 1
  let member_doc_comment m r = Reader.text m r 0
end

module Field = struct
  type which = Slot | Group | Unrecognized of int

  let which m r = match Reader.uint16 m r 8 with 0 -> Slot | 1 -> Group | n -> Unrecognized n
  let name m r = Reader.text m r 0
  let code_order m r = Reader.uint16 m r 0
  let discriminant_value m r = Reader.uint16 m r 2 lxor 0xffff
  let offset m r = Reader.uint32 m r 4
  let type_ m r = Reader.struct_ m r 2
  let default_value m r = Reader.struct_ m r 3
  let had_explicit_default m r = Reader.bool m r 128
  let group_type_id m r = Reader.int64 m r 16
end

module Enumerant = struct
  let name m r = Reader.text m r 0
end

module Method = struct
  let name m r = Reader.text m r 0
  let param_struct_type m r = Reader.int64 m r 8
  let result_struct_type m r = Reader.int64 m r 16
end

type kind =
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

let kind m r =
  match Reader.uint16 m r 0 with
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

module Type = struct
  let kind = kind
  let element_type m r = Reader.struct_ m r 0
  let type_id m r = Reader.int64 m r 8
end

module Value = struct
  let kind = kind
  let bool m r = Reader.bool m r 16
  let int8 m r = Reader.int8 m r 2
  let int16 m r = Reader.int16 m r 2
  let int32 m r = Reader.int32 m r 4
  let int64 m r = Reader.int64 m r 8
  let uint8 m r = Reader.uint8 m r 2
  let uint16 m r = Reader.uint16 m r 2
  let uint32 m r = Reader.uint32 m r 4
  let float32 m r = Reader.float32 m r 4
  let float64 m r = Reader.float64 m r 8
  let text m r = Reader.text m r 0
  let data m r = Reader.data m r 0
  let pointer m r = Weir_capnp.Any.field m r 0
end

module Request = struct
  let root = Reader.root
  let nodes m r = structs m r 0
  let requested_files m r = structs m r 1
  let source_info m r = structs m r 3
end

module Requested_file = struct
  let id m r = Reader.int64 m r 0
  let filename m r = Reader.text m r 0
  let imports m r = structs m r 1
  let import_id m r = Reader.int64 m r 0
  let import_name m r = Reader.text m r 0
end
