(** What the generator knows of a schema: the compiler's request in plain OCaml. *)

type ty =
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
  | List of ty
  | Enum of int64
  | Struct of int64
  | Interface of int64
  | Any  (** any pointer, and any parameter of a generic type *)

type value =
  | Nothing
  | Number of int64  (** integers, booleans, enumerants; floats by their bits *)
  | Bytes of string
  | Pointed of Weir_capnp.Any.detached  (** a struct, list or any pointer *)

type kind = Slot of { offset : int; ty : ty; default : value; explicit : bool } | Group of int64
type field = { name : string; doc : string; tag : int option; kind : kind }

type layout = {
  data : int;
  pointers : int;
  tag_offset : int;  (** in units of 16 bits *)
  fields : field list;
}

type method_ = { method_name : string; method_doc : string; params : int64; results : int64 }

type body =
  | File
  | Struct_node of layout
  | Enum_node of (string * string) list  (** names and comments *)
  | Interface_node of method_ list
  | Const of ty * value
  | Annotation_node

type node = {
  id : int64;
  short : string;
  scope : int64;
  nested : (string * int64) list;
  comment : string;
  generic : bool;
  body : body;
}

type file = { file_id : int64; filename : string; imports : (int64 * string) list }
type t = { nodes : (int64, node) Hashtbl.t; files : file list }
