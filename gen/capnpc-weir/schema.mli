(** Where the compiler's request has what the generator reads of it: of each struct of
    [schema.capnp] (beside its tests) a few fields, groups among them. A plugin that read them
    through code that it generates itself could not be built before it was. [test/codec/capnp]
    compares both. *)

open Weir_capnp

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

module Request : sig
  val root : Message.t -> request Reader.t
  val nodes : Message.t -> request Reader.t -> node Items.t
  val requested_files : Message.t -> request Reader.t -> requested_file Items.t
  val source_info : Message.t -> request Reader.t -> source_info Items.t
end

module Requested_file : sig
  val id : Message.t -> requested_file Reader.t -> int64
  val filename : Message.t -> requested_file Reader.t -> Blob.t
  val imports : Message.t -> requested_file Reader.t -> import Items.t
  val import_id : Message.t -> import Reader.t -> int64
  val import_name : Message.t -> import Reader.t -> Blob.t
end

module Node : sig
  type which = File | Struct | Enum | Interface | Const | Annotation | Unrecognized of int

  val which : Message.t -> node Reader.t -> which
  val id : Message.t -> node Reader.t -> int64
  val display_name : Message.t -> node Reader.t -> Blob.t
  val display_name_prefix_length : Message.t -> node Reader.t -> int
  val scope_id : Message.t -> node Reader.t -> int64
  val is_generic : Message.t -> node Reader.t -> bool
  val nested_nodes : Message.t -> node Reader.t -> nested_node Items.t

  (** {1 Of a struct} *)

  val data_word_count : Message.t -> node Reader.t -> int
  val pointer_count : Message.t -> node Reader.t -> int
  val discriminant_offset : Message.t -> node Reader.t -> int
  val fields : Message.t -> node Reader.t -> field Items.t

  (** {1 Of an enum, an interface, a constant} *)

  val enumerants : Message.t -> node Reader.t -> enumerant Items.t
  val methods : Message.t -> node Reader.t -> method_ Items.t
  val const_type : Message.t -> node Reader.t -> type_ Reader.t
  val const_value : Message.t -> node Reader.t -> value Reader.t
end

module Nested_node : sig
  val name : Message.t -> nested_node Reader.t -> Blob.t
  val id : Message.t -> nested_node Reader.t -> int64
end

module Source_info : sig
  val id : Message.t -> source_info Reader.t -> int64
  val doc_comment : Message.t -> source_info Reader.t -> Blob.t
  val members : Message.t -> source_info Reader.t -> member Items.t
  val member_doc_comment : Message.t -> member Reader.t -> Blob.t
end

module Field : sig
  type which = Slot | Group | Unrecognized of int

  val which : Message.t -> field Reader.t -> which
  val name : Message.t -> field Reader.t -> Blob.t
  val code_order : Message.t -> field Reader.t -> int
  val discriminant_value : Message.t -> field Reader.t -> int

  (** {1 Of a slot, of a group} *)

  val offset : Message.t -> field Reader.t -> int
  val type_ : Message.t -> field Reader.t -> type_ Reader.t
  val default_value : Message.t -> field Reader.t -> value Reader.t
  val had_explicit_default : Message.t -> field Reader.t -> bool
  val group_type_id : Message.t -> field Reader.t -> int64
end

module Enumerant : sig
  val name : Message.t -> enumerant Reader.t -> Blob.t
end

module Method : sig
  val name : Message.t -> method_ Reader.t -> Blob.t
  val param_struct_type : Message.t -> method_ Reader.t -> int64
  val result_struct_type : Message.t -> method_ Reader.t -> int64
end

(** The kinds of types, and of values. *)
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

module Type : sig
  val kind : Message.t -> type_ Reader.t -> kind

  val element_type : Message.t -> type_ Reader.t -> type_ Reader.t
  (** Of a list. *)

  val type_id : Message.t -> type_ Reader.t -> int64
  (** Of an enum, a struct or an interface. *)
end

(** A value is read as what its kind is. *)
module Value : sig
  val kind : Message.t -> value Reader.t -> kind
  val bool : Message.t -> value Reader.t -> bool
  val int8 : Message.t -> value Reader.t -> int
  val int16 : Message.t -> value Reader.t -> int
  val int32 : Message.t -> value Reader.t -> int
  val int64 : Message.t -> value Reader.t -> int64
  val uint8 : Message.t -> value Reader.t -> int
  val uint16 : Message.t -> value Reader.t -> int
  val uint32 : Message.t -> value Reader.t -> int
  val float32 : Message.t -> value Reader.t -> float
  val float64 : Message.t -> value Reader.t -> float
  val text : Message.t -> value Reader.t -> Blob.t
  val data : Message.t -> value Reader.t -> Blob.t

  val pointer : Message.t -> value Reader.t -> Any.t
  (** A list, a struct or any pointer. *)
end
