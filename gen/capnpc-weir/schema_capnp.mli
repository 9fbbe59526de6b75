(* Made by capnpc-weir from schema.capnp; do not edit. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

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

(** A declaration: a file, struct, group, enum, interface, constant or annotation. *)
module Node : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = node Capnp.Reader.t

    type which =
      | File
      | Struct
      | Enum
      | Interface
      | Const
      | Annotation
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val id : Capnp.Message.t -> t -> int64
    val has_display_name : Capnp.Message.t -> t -> bool
    val display_name : Capnp.Message.t -> t -> Capnp.Blob.t
    val display_name_prefix_length : Capnp.Message.t -> t -> int
    val scope_id : Capnp.Message.t -> t -> int64
    val has_parameters : Capnp.Message.t -> t -> bool
    val parameters : Capnp.Message.t -> t -> node_parameter Capnp.Items.t
    val is_generic : Capnp.Message.t -> t -> bool
    val has_nested_nodes : Capnp.Message.t -> t -> bool
    val nested_nodes : Capnp.Message.t -> t -> node_nested_node Capnp.Items.t
    val has_annotations : Capnp.Message.t -> t -> bool
    val annotations : Capnp.Message.t -> t -> annotation Capnp.Items.t
    val file : Capnp.Message.t -> t -> unit
    val struct_ : Capnp.Message.t -> t -> node_struct Capnp.Reader.t
    val enum : Capnp.Message.t -> t -> node_enum Capnp.Reader.t
    val interface : Capnp.Message.t -> t -> node_interface Capnp.Reader.t
    val const : Capnp.Message.t -> t -> node_const Capnp.Reader.t
    val annotation : Capnp.Message.t -> t -> node_annotation Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = node Capnp.Builder.struct_

    val set_id : Capnp.Builder.t -> t -> int64 -> unit
    val set_display_name : Capnp.Builder.t -> t -> string -> unit
    val set_display_name_prefix_length : Capnp.Builder.t -> t -> int -> unit
    val set_scope_id : Capnp.Builder.t -> t -> int64 -> unit
    val init_parameters : Capnp.Builder.t -> t -> int -> node_parameter Capnp.Builder.items
    val get_parameters : Capnp.Builder.t -> t -> node_parameter Capnp.Builder.items option
    val set_is_generic : Capnp.Builder.t -> t -> bool -> unit
    val init_nested_nodes : Capnp.Builder.t -> t -> int -> node_nested_node Capnp.Builder.items
    val get_nested_nodes : Capnp.Builder.t -> t -> node_nested_node Capnp.Builder.items option
    val init_annotations : Capnp.Builder.t -> t -> int -> annotation Capnp.Builder.items
    val get_annotations : Capnp.Builder.t -> t -> annotation Capnp.Builder.items option
    val set_file : Capnp.Builder.t -> t -> unit
    val init_struct_ : Capnp.Builder.t -> t -> node_struct Capnp.Builder.struct_
    val init_enum : Capnp.Builder.t -> t -> node_enum Capnp.Builder.struct_
    val init_interface : Capnp.Builder.t -> t -> node_interface Capnp.Builder.struct_
    val init_const : Capnp.Builder.t -> t -> node_const Capnp.Builder.struct_
    val init_annotation : Capnp.Builder.t -> t -> node_annotation Capnp.Builder.struct_
  end

  module Parameter : sig
    type t = node_parameter = {
      name : string;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_parameter Capnp.Reader.t

      val has_name : Capnp.Message.t -> t -> bool
      val name : Capnp.Message.t -> t -> Capnp.Blob.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_parameter Capnp.Builder.struct_

      val set_name : Capnp.Builder.t -> t -> string -> unit
    end
  end

  module Nested_node : sig
    type t = node_nested_node = {
      name : string;
      id : int64;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_nested_node Capnp.Reader.t

      val has_name : Capnp.Message.t -> t -> bool
      val name : Capnp.Message.t -> t -> Capnp.Blob.t
      val id : Capnp.Message.t -> t -> int64
    end

    (** Building in place. *)
    module B : sig
      type t = node_nested_node Capnp.Builder.struct_

      val set_name : Capnp.Builder.t -> t -> string -> unit
      val set_id : Capnp.Builder.t -> t -> int64 -> unit
    end
  end

  (** The comments of one node. *)
  module Source_info : sig
    type t = node_source_info = {
      id : int64;
      doc_comment : string;
      members : node_source_info_member list;
          (** In the order of the node's fields, enumerants or methods. *)
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_source_info Capnp.Reader.t

      val id : Capnp.Message.t -> t -> int64
      val has_doc_comment : Capnp.Message.t -> t -> bool
      val doc_comment : Capnp.Message.t -> t -> Capnp.Blob.t
      val has_members : Capnp.Message.t -> t -> bool
      val members : Capnp.Message.t -> t -> node_source_info_member Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_source_info Capnp.Builder.struct_

      val set_id : Capnp.Builder.t -> t -> int64 -> unit
      val set_doc_comment : Capnp.Builder.t -> t -> string -> unit
      val init_members : Capnp.Builder.t -> t -> int -> node_source_info_member Capnp.Builder.items
      val get_members : Capnp.Builder.t -> t -> node_source_info_member Capnp.Builder.items option
    end

    module Member : sig
      type t = node_source_info_member = {
        doc_comment : string;
      }

      val decode : string -> (t, Capnp.Message.error) result
      val encode : t -> string
      val write : Capnp.Builder.t -> t -> unit
      val default : t
      val root : Capnp.Message.t -> t Capnp.Reader.t
      val init : Capnp.Builder.t -> t Capnp.Builder.struct_
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = node_source_info_member Capnp.Reader.t

        val has_doc_comment : Capnp.Message.t -> t -> bool
        val doc_comment : Capnp.Message.t -> t -> Capnp.Blob.t
      end

      (** Building in place. *)
      module B : sig
        type t = node_source_info_member Capnp.Builder.struct_

        val set_doc_comment : Capnp.Builder.t -> t -> string -> unit
      end
    end
  end

  module Struct : sig
    type t = node_struct = {
      data_word_count : int;
      pointer_count : int;
      preferred_list_encoding : element_size;
      is_group : bool;
      discriminant_count : int;
      discriminant_offset : int;
          (** In units of 16 bits. *)
      fields : field list;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_struct Capnp.Reader.t

      val data_word_count : Capnp.Message.t -> t -> int
      val pointer_count : Capnp.Message.t -> t -> int
      val preferred_list_encoding : Capnp.Message.t -> t -> element_size
      val is_group : Capnp.Message.t -> t -> bool
      val discriminant_count : Capnp.Message.t -> t -> int
      val discriminant_offset : Capnp.Message.t -> t -> int
      val has_fields : Capnp.Message.t -> t -> bool
      val fields : Capnp.Message.t -> t -> field Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_struct Capnp.Builder.struct_

      val set_data_word_count : Capnp.Builder.t -> t -> int -> unit
      val set_pointer_count : Capnp.Builder.t -> t -> int -> unit
      val set_preferred_list_encoding : Capnp.Builder.t -> t -> element_size -> unit
      val set_is_group : Capnp.Builder.t -> t -> bool -> unit
      val set_discriminant_count : Capnp.Builder.t -> t -> int -> unit
      val set_discriminant_offset : Capnp.Builder.t -> t -> int -> unit
      val init_fields : Capnp.Builder.t -> t -> int -> field Capnp.Builder.items
      val get_fields : Capnp.Builder.t -> t -> field Capnp.Builder.items option
    end
  end

  module Enum : sig
    type t = node_enum = {
      enumerants : enumerant list;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_enum Capnp.Reader.t

      val has_enumerants : Capnp.Message.t -> t -> bool
      val enumerants : Capnp.Message.t -> t -> enumerant Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_enum Capnp.Builder.struct_

      val init_enumerants : Capnp.Builder.t -> t -> int -> enumerant Capnp.Builder.items
      val get_enumerants : Capnp.Builder.t -> t -> enumerant Capnp.Builder.items option
    end
  end

  module Interface : sig
    type t = node_interface = {
      methods : method_ list;
      superclasses : superclass list;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_interface Capnp.Reader.t

      val has_methods : Capnp.Message.t -> t -> bool
      val methods : Capnp.Message.t -> t -> method_ Capnp.Items.t
      val has_superclasses : Capnp.Message.t -> t -> bool
      val superclasses : Capnp.Message.t -> t -> superclass Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_interface Capnp.Builder.struct_

      val init_methods : Capnp.Builder.t -> t -> int -> method_ Capnp.Builder.items
      val get_methods : Capnp.Builder.t -> t -> method_ Capnp.Builder.items option
      val init_superclasses : Capnp.Builder.t -> t -> int -> superclass Capnp.Builder.items
      val get_superclasses : Capnp.Builder.t -> t -> superclass Capnp.Builder.items option
    end
  end

  module Const : sig
    type t = node_const = {
      type_ : type_ option;
      value : value option;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_const Capnp.Reader.t

      val has_type_ : Capnp.Message.t -> t -> bool
      val type_ : Capnp.Message.t -> t -> type_ Capnp.Reader.t
      val has_value : Capnp.Message.t -> t -> bool
      val value : Capnp.Message.t -> t -> value Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = node_const Capnp.Builder.struct_

      val init_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_
      val get_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_ option
      val copy_type_ : Capnp.Builder.t -> t -> Capnp.Message.t -> type_ Capnp.Reader.t -> unit
      val init_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_
      val get_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_ option
      val copy_value : Capnp.Builder.t -> t -> Capnp.Message.t -> value Capnp.Reader.t -> unit
    end
  end

  module Annotation : sig
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

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = node_annotation Capnp.Reader.t

      val has_type_ : Capnp.Message.t -> t -> bool
      val type_ : Capnp.Message.t -> t -> type_ Capnp.Reader.t
      val targets_file : Capnp.Message.t -> t -> bool
      val targets_const : Capnp.Message.t -> t -> bool
      val targets_enum : Capnp.Message.t -> t -> bool
      val targets_enumerant : Capnp.Message.t -> t -> bool
      val targets_struct : Capnp.Message.t -> t -> bool
      val targets_field : Capnp.Message.t -> t -> bool
      val targets_union : Capnp.Message.t -> t -> bool
      val targets_group : Capnp.Message.t -> t -> bool
      val targets_interface : Capnp.Message.t -> t -> bool
      val targets_method : Capnp.Message.t -> t -> bool
      val targets_param : Capnp.Message.t -> t -> bool
      val targets_annotation : Capnp.Message.t -> t -> bool
    end

    (** Building in place. *)
    module B : sig
      type t = node_annotation Capnp.Builder.struct_

      val init_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_
      val get_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_ option
      val copy_type_ : Capnp.Builder.t -> t -> Capnp.Message.t -> type_ Capnp.Reader.t -> unit
      val set_targets_file : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_const : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_enum : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_enumerant : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_struct : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_field : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_union : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_group : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_interface : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_method : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_param : Capnp.Builder.t -> t -> bool -> unit
      val set_targets_annotation : Capnp.Builder.t -> t -> bool -> unit
    end
  end
end

module Field : sig
  type which = field_which =
    | Slot of field_slot
    | Group of field_group
    | Unrecognized of int

  type t = field = {
    name : string;
    code_order : int;
    annotations : annotation list;
    discriminant_value : int;
        (** 0xffff outside a union. *)
    ordinal : field_ordinal;
    which : which;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = field Capnp.Reader.t

    type which =
      | Slot
      | Group
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val has_name : Capnp.Message.t -> t -> bool
    val name : Capnp.Message.t -> t -> Capnp.Blob.t
    val code_order : Capnp.Message.t -> t -> int
    val has_annotations : Capnp.Message.t -> t -> bool
    val annotations : Capnp.Message.t -> t -> annotation Capnp.Items.t
    val discriminant_value : Capnp.Message.t -> t -> int
    val slot : Capnp.Message.t -> t -> field_slot Capnp.Reader.t
    val group : Capnp.Message.t -> t -> field_group Capnp.Reader.t
    val ordinal : Capnp.Message.t -> t -> field_ordinal Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = field Capnp.Builder.struct_

    val set_name : Capnp.Builder.t -> t -> string -> unit
    val set_code_order : Capnp.Builder.t -> t -> int -> unit
    val init_annotations : Capnp.Builder.t -> t -> int -> annotation Capnp.Builder.items
    val get_annotations : Capnp.Builder.t -> t -> annotation Capnp.Builder.items option
    val set_discriminant_value : Capnp.Builder.t -> t -> int -> unit
    val init_slot : Capnp.Builder.t -> t -> field_slot Capnp.Builder.struct_
    val init_group : Capnp.Builder.t -> t -> field_group Capnp.Builder.struct_
    val ordinal : Capnp.Builder.t -> t -> field_ordinal Capnp.Builder.struct_
  end

  module Slot : sig
    type t = field_slot = {
      offset : int;
          (** In units of the field's own size. *)
      type_ : type_ option;
      default_value : value option;
      had_explicit_default : bool;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = field_slot Capnp.Reader.t

      val offset : Capnp.Message.t -> t -> int
      val has_type_ : Capnp.Message.t -> t -> bool
      val type_ : Capnp.Message.t -> t -> type_ Capnp.Reader.t
      val has_default_value : Capnp.Message.t -> t -> bool
      val default_value : Capnp.Message.t -> t -> value Capnp.Reader.t
      val had_explicit_default : Capnp.Message.t -> t -> bool
    end

    (** Building in place. *)
    module B : sig
      type t = field_slot Capnp.Builder.struct_

      val set_offset : Capnp.Builder.t -> t -> int -> unit
      val init_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_
      val get_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_ option
      val copy_type_ : Capnp.Builder.t -> t -> Capnp.Message.t -> type_ Capnp.Reader.t -> unit
      val init_default_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_
      val get_default_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_ option
      val copy_default_value : Capnp.Builder.t -> t -> Capnp.Message.t -> value Capnp.Reader.t ->
        unit
      val set_had_explicit_default : Capnp.Builder.t -> t -> bool -> unit
    end
  end

  module Group : sig
    type t = field_group = {
      type_id : int64;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = field_group Capnp.Reader.t

      val type_id : Capnp.Message.t -> t -> int64
    end

    (** Building in place. *)
    module B : sig
      type t = field_group Capnp.Builder.struct_

      val set_type_id : Capnp.Builder.t -> t -> int64 -> unit
    end
  end

  module Ordinal : sig
    type t = field_ordinal = 
      | Implicit
      | Explicit of int
      | Unrecognized of int

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = field_ordinal Capnp.Reader.t

      type which =
        | Implicit
        | Explicit
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val implicit : Capnp.Message.t -> t -> unit
      val explicit : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = field_ordinal Capnp.Builder.struct_

      val set_implicit : Capnp.Builder.t -> t -> unit
      val set_explicit : Capnp.Builder.t -> t -> int -> unit
    end
  end
end

module Enumerant : sig
  type t = enumerant = {
    name : string;
    code_order : int;
    annotations : annotation list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = enumerant Capnp.Reader.t

    val has_name : Capnp.Message.t -> t -> bool
    val name : Capnp.Message.t -> t -> Capnp.Blob.t
    val code_order : Capnp.Message.t -> t -> int
    val has_annotations : Capnp.Message.t -> t -> bool
    val annotations : Capnp.Message.t -> t -> annotation Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = enumerant Capnp.Builder.struct_

    val set_name : Capnp.Builder.t -> t -> string -> unit
    val set_code_order : Capnp.Builder.t -> t -> int -> unit
    val init_annotations : Capnp.Builder.t -> t -> int -> annotation Capnp.Builder.items
    val get_annotations : Capnp.Builder.t -> t -> annotation Capnp.Builder.items option
  end
end

module Superclass : sig
  type t = superclass = {
    id : int64;
    brand : brand option;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = superclass Capnp.Reader.t

    val id : Capnp.Message.t -> t -> int64
    val has_brand : Capnp.Message.t -> t -> bool
    val brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = superclass Capnp.Builder.struct_

    val set_id : Capnp.Builder.t -> t -> int64 -> unit
    val init_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
    val get_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
    val copy_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
  end
end

module Method : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = method_ Capnp.Reader.t

    val has_name : Capnp.Message.t -> t -> bool
    val name : Capnp.Message.t -> t -> Capnp.Blob.t
    val code_order : Capnp.Message.t -> t -> int
    val has_implicit_parameters : Capnp.Message.t -> t -> bool
    val implicit_parameters : Capnp.Message.t -> t -> node_parameter Capnp.Items.t
    val param_struct_type : Capnp.Message.t -> t -> int64
    val has_param_brand : Capnp.Message.t -> t -> bool
    val param_brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    val result_struct_type : Capnp.Message.t -> t -> int64
    val has_result_brand : Capnp.Message.t -> t -> bool
    val result_brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    val has_annotations : Capnp.Message.t -> t -> bool
    val annotations : Capnp.Message.t -> t -> annotation Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = method_ Capnp.Builder.struct_

    val set_name : Capnp.Builder.t -> t -> string -> unit
    val set_code_order : Capnp.Builder.t -> t -> int -> unit
    val init_implicit_parameters : Capnp.Builder.t -> t -> int -> node_parameter Capnp.Builder.items
    val get_implicit_parameters : Capnp.Builder.t -> t -> node_parameter Capnp.Builder.items option
    val set_param_struct_type : Capnp.Builder.t -> t -> int64 -> unit
    val init_param_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
    val get_param_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
    val copy_param_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    val set_result_struct_type : Capnp.Builder.t -> t -> int64 -> unit
    val init_result_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
    val get_result_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
    val copy_result_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    val init_annotations : Capnp.Builder.t -> t -> int -> annotation Capnp.Builder.items
    val get_annotations : Capnp.Builder.t -> t -> annotation Capnp.Builder.items option
  end
end

module Type : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
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

    val which : Capnp.Message.t -> t -> which
    val void : Capnp.Message.t -> t -> unit
    val bool : Capnp.Message.t -> t -> unit
    val int8 : Capnp.Message.t -> t -> unit
    val int16 : Capnp.Message.t -> t -> unit
    val int32 : Capnp.Message.t -> t -> unit
    val int64 : Capnp.Message.t -> t -> unit
    val uint8 : Capnp.Message.t -> t -> unit
    val uint16 : Capnp.Message.t -> t -> unit
    val uint32 : Capnp.Message.t -> t -> unit
    val uint64 : Capnp.Message.t -> t -> unit
    val float32 : Capnp.Message.t -> t -> unit
    val float64 : Capnp.Message.t -> t -> unit
    val text : Capnp.Message.t -> t -> unit
    val data : Capnp.Message.t -> t -> unit
    val list : Capnp.Message.t -> t -> type_list Capnp.Reader.t
    val enum : Capnp.Message.t -> t -> type_enum Capnp.Reader.t
    val struct_ : Capnp.Message.t -> t -> type_struct Capnp.Reader.t
    val interface : Capnp.Message.t -> t -> type_interface Capnp.Reader.t
    val any_pointer : Capnp.Message.t -> t -> type_any_pointer Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = type_ Capnp.Builder.struct_

    val set_void : Capnp.Builder.t -> t -> unit
    val set_bool : Capnp.Builder.t -> t -> unit
    val set_int8 : Capnp.Builder.t -> t -> unit
    val set_int16 : Capnp.Builder.t -> t -> unit
    val set_int32 : Capnp.Builder.t -> t -> unit
    val set_int64 : Capnp.Builder.t -> t -> unit
    val set_uint8 : Capnp.Builder.t -> t -> unit
    val set_uint16 : Capnp.Builder.t -> t -> unit
    val set_uint32 : Capnp.Builder.t -> t -> unit
    val set_uint64 : Capnp.Builder.t -> t -> unit
    val set_float32 : Capnp.Builder.t -> t -> unit
    val set_float64 : Capnp.Builder.t -> t -> unit
    val set_text : Capnp.Builder.t -> t -> unit
    val set_data : Capnp.Builder.t -> t -> unit
    val init_list : Capnp.Builder.t -> t -> type_list Capnp.Builder.struct_
    val init_enum : Capnp.Builder.t -> t -> type_enum Capnp.Builder.struct_
    val init_struct_ : Capnp.Builder.t -> t -> type_struct Capnp.Builder.struct_
    val init_interface : Capnp.Builder.t -> t -> type_interface Capnp.Builder.struct_
    val init_any_pointer : Capnp.Builder.t -> t -> type_any_pointer Capnp.Builder.struct_
  end

  module List : sig
    type t = type_list = {
      element_type : type_ option;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = type_list Capnp.Reader.t

      val has_element_type : Capnp.Message.t -> t -> bool
      val element_type : Capnp.Message.t -> t -> type_ Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = type_list Capnp.Builder.struct_

      val init_element_type : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_
      val get_element_type : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_ option
      val copy_element_type : Capnp.Builder.t -> t -> Capnp.Message.t -> type_ Capnp.Reader.t ->
        unit
    end
  end

  module Enum : sig
    type t = type_enum = {
      type_id : int64;
      brand : brand option;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = type_enum Capnp.Reader.t

      val type_id : Capnp.Message.t -> t -> int64
      val has_brand : Capnp.Message.t -> t -> bool
      val brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = type_enum Capnp.Builder.struct_

      val set_type_id : Capnp.Builder.t -> t -> int64 -> unit
      val init_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
      val get_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
      val copy_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    end
  end

  module Struct : sig
    type t = type_struct = {
      type_id : int64;
      brand : brand option;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = type_struct Capnp.Reader.t

      val type_id : Capnp.Message.t -> t -> int64
      val has_brand : Capnp.Message.t -> t -> bool
      val brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = type_struct Capnp.Builder.struct_

      val set_type_id : Capnp.Builder.t -> t -> int64 -> unit
      val init_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
      val get_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
      val copy_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    end
  end

  module Interface : sig
    type t = type_interface = {
      type_id : int64;
      brand : brand option;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = type_interface Capnp.Reader.t

      val type_id : Capnp.Message.t -> t -> int64
      val has_brand : Capnp.Message.t -> t -> bool
      val brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = type_interface Capnp.Builder.struct_

      val set_type_id : Capnp.Builder.t -> t -> int64 -> unit
      val init_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
      val get_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
      val copy_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    end
  end

  module Any_pointer : sig
    type t = type_any_pointer = 
      | Unconstrained of type_any_pointer_unconstrained
      | Parameter of type_any_pointer_parameter
      | Implicit_method_parameter of type_any_pointer_implicit_method_parameter
      | Unrecognized of int

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = type_any_pointer Capnp.Reader.t

      type which =
        | Unconstrained
        | Parameter
        | Implicit_method_parameter
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val unconstrained : Capnp.Message.t -> t -> type_any_pointer_unconstrained Capnp.Reader.t
      val parameter : Capnp.Message.t -> t -> type_any_pointer_parameter Capnp.Reader.t
      val implicit_method_parameter : Capnp.Message.t -> t ->
        type_any_pointer_implicit_method_parameter Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = type_any_pointer Capnp.Builder.struct_

      val init_unconstrained : Capnp.Builder.t -> t ->
        type_any_pointer_unconstrained Capnp.Builder.struct_
      val init_parameter : Capnp.Builder.t -> t -> type_any_pointer_parameter Capnp.Builder.struct_
      val init_implicit_method_parameter : Capnp.Builder.t -> t ->
        type_any_pointer_implicit_method_parameter Capnp.Builder.struct_
    end

    module Unconstrained : sig
      type t = type_any_pointer_unconstrained = 
        | Any_kind
        | Struct
        | List
        | Capability
        | Unrecognized of int

      val default : t
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = type_any_pointer_unconstrained Capnp.Reader.t

        type which =
          | Any_kind
          | Struct
          | List
          | Capability
          | Unrecognized of int

        val which : Capnp.Message.t -> t -> which
        val any_kind : Capnp.Message.t -> t -> unit
        val struct_ : Capnp.Message.t -> t -> unit
        val list : Capnp.Message.t -> t -> unit
        val capability : Capnp.Message.t -> t -> unit
      end

      (** Building in place. *)
      module B : sig
        type t = type_any_pointer_unconstrained Capnp.Builder.struct_

        val set_any_kind : Capnp.Builder.t -> t -> unit
        val set_struct_ : Capnp.Builder.t -> t -> unit
        val set_list : Capnp.Builder.t -> t -> unit
        val set_capability : Capnp.Builder.t -> t -> unit
      end
    end

    module Parameter : sig
      type t = type_any_pointer_parameter = {
        scope_id : int64;
        parameter_index : int;
      }

      val default : t
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = type_any_pointer_parameter Capnp.Reader.t

        val scope_id : Capnp.Message.t -> t -> int64
        val parameter_index : Capnp.Message.t -> t -> int
      end

      (** Building in place. *)
      module B : sig
        type t = type_any_pointer_parameter Capnp.Builder.struct_

        val set_scope_id : Capnp.Builder.t -> t -> int64 -> unit
        val set_parameter_index : Capnp.Builder.t -> t -> int -> unit
      end
    end

    module Implicit_method_parameter : sig
      type t = type_any_pointer_implicit_method_parameter = {
        parameter_index : int;
      }

      val default : t
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = type_any_pointer_implicit_method_parameter Capnp.Reader.t

        val parameter_index : Capnp.Message.t -> t -> int
      end

      (** Building in place. *)
      module B : sig
        type t = type_any_pointer_implicit_method_parameter Capnp.Builder.struct_

        val set_parameter_index : Capnp.Builder.t -> t -> int -> unit
      end
    end
  end
end

(** What the parameters of a generic type are bound to. *)
module Brand : sig
  type t = brand = {
    scopes : brand_scope list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = brand Capnp.Reader.t

    val has_scopes : Capnp.Message.t -> t -> bool
    val scopes : Capnp.Message.t -> t -> brand_scope Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = brand Capnp.Builder.struct_

    val init_scopes : Capnp.Builder.t -> t -> int -> brand_scope Capnp.Builder.items
    val get_scopes : Capnp.Builder.t -> t -> brand_scope Capnp.Builder.items option
  end

  module Scope : sig
    type which = brand_scope_which =
      | Bind of brand_binding list
      | Inherit
      | Unrecognized of int

    type t = brand_scope = {
      scope_id : int64;
      which : which;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = brand_scope Capnp.Reader.t

      type which =
        | Bind
        | Inherit
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val scope_id : Capnp.Message.t -> t -> int64
      val has_bind : Capnp.Message.t -> t -> bool
      val bind : Capnp.Message.t -> t -> brand_binding Capnp.Items.t
      val inherit_ : Capnp.Message.t -> t -> unit
    end

    (** Building in place. *)
    module B : sig
      type t = brand_scope Capnp.Builder.struct_

      val set_scope_id : Capnp.Builder.t -> t -> int64 -> unit
      val init_bind : Capnp.Builder.t -> t -> int -> brand_binding Capnp.Builder.items
      val get_bind : Capnp.Builder.t -> t -> brand_binding Capnp.Builder.items option
      val set_inherit_ : Capnp.Builder.t -> t -> unit
    end
  end

  module Binding : sig
    type t = brand_binding = 
      | Unbound
      | Type of type_ option
      | Unrecognized of int

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = brand_binding Capnp.Reader.t

      type which =
        | Unbound
        | Type
        | Unrecognized of int

      val which : Capnp.Message.t -> t -> which
      val unbound : Capnp.Message.t -> t -> unit
      val has_type_ : Capnp.Message.t -> t -> bool
      val type_ : Capnp.Message.t -> t -> type_ Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = brand_binding Capnp.Builder.struct_

      val set_unbound : Capnp.Builder.t -> t -> unit
      val init_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_
      val get_type_ : Capnp.Builder.t -> t -> type_ Capnp.Builder.struct_ option
      val copy_type_ : Capnp.Builder.t -> t -> Capnp.Message.t -> type_ Capnp.Reader.t -> unit
    end
  end
end

module Value : sig
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

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
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

    val which : Capnp.Message.t -> t -> which
    val void : Capnp.Message.t -> t -> unit
    val bool : Capnp.Message.t -> t -> bool
    val int8 : Capnp.Message.t -> t -> int
    val int16 : Capnp.Message.t -> t -> int
    val int32 : Capnp.Message.t -> t -> int
    val int64 : Capnp.Message.t -> t -> int64
    val uint8 : Capnp.Message.t -> t -> int
    val uint16 : Capnp.Message.t -> t -> int
    val uint32 : Capnp.Message.t -> t -> int
    val uint64 : Capnp.Message.t -> t -> int64
    val float32 : Capnp.Message.t -> t -> float
    val float64 : Capnp.Message.t -> t -> float
    val has_text : Capnp.Message.t -> t -> bool
    val text : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_data : Capnp.Message.t -> t -> bool
    val data : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_list : Capnp.Message.t -> t -> bool
    val list : Capnp.Message.t -> t -> Capnp.Any.t
    val enum : Capnp.Message.t -> t -> int
    val has_struct_ : Capnp.Message.t -> t -> bool
    val struct_ : Capnp.Message.t -> t -> Capnp.Any.t
    val interface : Capnp.Message.t -> t -> unit
    val has_any_pointer : Capnp.Message.t -> t -> bool
    val any_pointer : Capnp.Message.t -> t -> Capnp.Any.t
  end

  (** Building in place. *)
  module B : sig
    type t = value Capnp.Builder.struct_

    val set_void : Capnp.Builder.t -> t -> unit
    val set_bool : Capnp.Builder.t -> t -> bool -> unit
    val set_int8 : Capnp.Builder.t -> t -> int -> unit
    val set_int16 : Capnp.Builder.t -> t -> int -> unit
    val set_int32 : Capnp.Builder.t -> t -> int -> unit
    val set_int64 : Capnp.Builder.t -> t -> int64 -> unit
    val set_uint8 : Capnp.Builder.t -> t -> int -> unit
    val set_uint16 : Capnp.Builder.t -> t -> int -> unit
    val set_uint32 : Capnp.Builder.t -> t -> int -> unit
    val set_uint64 : Capnp.Builder.t -> t -> int64 -> unit
    val set_float32 : Capnp.Builder.t -> t -> float -> unit
    val set_float64 : Capnp.Builder.t -> t -> float -> unit
    val set_text : Capnp.Builder.t -> t -> string -> unit
    val set_data : Capnp.Builder.t -> t -> string -> unit
    val set_list : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    val set_enum : Capnp.Builder.t -> t -> int -> unit
    val set_struct_ : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
    val set_interface : Capnp.Builder.t -> t -> unit
    val set_any_pointer : Capnp.Builder.t -> t -> Capnp.Any.detached -> unit
  end
end

(** The use of an annotation. *)
module Annotation : sig
  type t = annotation = {
    id : int64;
    brand : brand option;
    value : value option;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = annotation Capnp.Reader.t

    val id : Capnp.Message.t -> t -> int64
    val has_brand : Capnp.Message.t -> t -> bool
    val brand : Capnp.Message.t -> t -> brand Capnp.Reader.t
    val has_value : Capnp.Message.t -> t -> bool
    val value : Capnp.Message.t -> t -> value Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = annotation Capnp.Builder.struct_

    val set_id : Capnp.Builder.t -> t -> int64 -> unit
    val init_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_
    val get_brand : Capnp.Builder.t -> t -> brand Capnp.Builder.struct_ option
    val copy_brand : Capnp.Builder.t -> t -> Capnp.Message.t -> brand Capnp.Reader.t -> unit
    val init_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_
    val get_value : Capnp.Builder.t -> t -> value Capnp.Builder.struct_ option
    val copy_value : Capnp.Builder.t -> t -> Capnp.Message.t -> value Capnp.Reader.t -> unit
  end
end

module Element_size : sig
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

  val of_int : int -> t
  val to_int : t -> int
  val item : Capnp.Message.t -> t Capnp.Items.t -> int -> t
  val put : Capnp.Builder.t -> t Capnp.Builder.items -> int -> t -> unit
end

module Capnp_version : sig
  type t = capnp_version = {
    major : int;
    minor : int;
    micro : int;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = capnp_version Capnp.Reader.t

    val major : Capnp.Message.t -> t -> int
    val minor : Capnp.Message.t -> t -> int
    val micro : Capnp.Message.t -> t -> int
  end

  (** Building in place. *)
  module B : sig
    type t = capnp_version Capnp.Builder.struct_

    val set_major : Capnp.Builder.t -> t -> int -> unit
    val set_minor : Capnp.Builder.t -> t -> int -> unit
    val set_micro : Capnp.Builder.t -> t -> int -> unit
  end
end

module Code_generator_request : sig
  type t = code_generator_request = {
    capnp_version : capnp_version option;
    nodes : node list;
        (** The files asked for and all that they import. *)
    source_info : node_source_info list;
    requested_files : code_generator_request_requested_file list;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = code_generator_request Capnp.Reader.t

    val has_capnp_version : Capnp.Message.t -> t -> bool
    val capnp_version : Capnp.Message.t -> t -> capnp_version Capnp.Reader.t
    val has_nodes : Capnp.Message.t -> t -> bool
    val nodes : Capnp.Message.t -> t -> node Capnp.Items.t
    val has_source_info : Capnp.Message.t -> t -> bool
    val source_info : Capnp.Message.t -> t -> node_source_info Capnp.Items.t
    val has_requested_files : Capnp.Message.t -> t -> bool
    val requested_files : Capnp.Message.t -> t ->
      code_generator_request_requested_file Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = code_generator_request Capnp.Builder.struct_

    val init_capnp_version : Capnp.Builder.t -> t -> capnp_version Capnp.Builder.struct_
    val get_capnp_version : Capnp.Builder.t -> t -> capnp_version Capnp.Builder.struct_ option
    val copy_capnp_version : Capnp.Builder.t -> t -> Capnp.Message.t ->
      capnp_version Capnp.Reader.t -> unit
    val init_nodes : Capnp.Builder.t -> t -> int -> node Capnp.Builder.items
    val get_nodes : Capnp.Builder.t -> t -> node Capnp.Builder.items option
    val init_source_info : Capnp.Builder.t -> t -> int -> node_source_info Capnp.Builder.items
    val get_source_info : Capnp.Builder.t -> t -> node_source_info Capnp.Builder.items option
    val init_requested_files : Capnp.Builder.t -> t -> int ->
      code_generator_request_requested_file Capnp.Builder.items
    val get_requested_files : Capnp.Builder.t -> t ->
      code_generator_request_requested_file Capnp.Builder.items option
  end

  module Requested_file : sig
    type t = code_generator_request_requested_file = {
      id : int64;
      filename : string;
      imports : code_generator_request_requested_file_import list;
    }

    val decode : string -> (t, Capnp.Message.error) result
    val encode : t -> string
    val write : Capnp.Builder.t -> t -> unit
    val default : t
    val root : Capnp.Message.t -> t Capnp.Reader.t
    val init : Capnp.Builder.t -> t Capnp.Builder.struct_
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = code_generator_request_requested_file Capnp.Reader.t

      val id : Capnp.Message.t -> t -> int64
      val has_filename : Capnp.Message.t -> t -> bool
      val filename : Capnp.Message.t -> t -> Capnp.Blob.t
      val has_imports : Capnp.Message.t -> t -> bool
      val imports : Capnp.Message.t -> t ->
        code_generator_request_requested_file_import Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = code_generator_request_requested_file Capnp.Builder.struct_

      val set_id : Capnp.Builder.t -> t -> int64 -> unit
      val set_filename : Capnp.Builder.t -> t -> string -> unit
      val init_imports : Capnp.Builder.t -> t -> int ->
        code_generator_request_requested_file_import Capnp.Builder.items
      val get_imports : Capnp.Builder.t -> t ->
        code_generator_request_requested_file_import Capnp.Builder.items option
    end

    module Import : sig
      type t = code_generator_request_requested_file_import = {
        id : int64;
        name : string;
      }

      val decode : string -> (t, Capnp.Message.error) result
      val encode : t -> string
      val write : Capnp.Builder.t -> t -> unit
      val default : t
      val root : Capnp.Message.t -> t Capnp.Reader.t
      val init : Capnp.Builder.t -> t Capnp.Builder.struct_
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = code_generator_request_requested_file_import Capnp.Reader.t

        val id : Capnp.Message.t -> t -> int64
        val has_name : Capnp.Message.t -> t -> bool
        val name : Capnp.Message.t -> t -> Capnp.Blob.t
      end

      (** Building in place. *)
      module B : sig
        type t = code_generator_request_requested_file_import Capnp.Builder.struct_

        val set_id : Capnp.Builder.t -> t -> int64 -> unit
        val set_name : Capnp.Builder.t -> t -> string -> unit
      end
    end
  end
end
