(** A Thrift file as parsed. *)

type ty =
  | Bool
  | I8
  | I16
  | I32
  | I64
  | Double
  | String
  | Uuid
  | List of ty
  | Set of ty
  | Map of ty * ty
  | Named of string  (** [name] or [file.name] *)

type const =
  | Int of int64
  | Float of float
  | Text of string
  | Name of string
  | Sequence of const list
  | Pairs of (const * const) list

type requiredness = Required | Optional | Default

type field = {
  id : int;
  requiredness : requiredness;
  ty : ty;
  name : string;
  default : const option;
  doc : string;
}

type shape = Struct | Union | Exception

type func = {
  func_name : string;
  oneway : bool;
  result : ty option;
  arguments : field list;
  throws : field list;
  func_doc : string;
}

type body =
  | Typedef of ty
  | Enum of (string * int * string) list  (** names, values, comments *)
  | Fields of shape * field list
  | Const of ty * const
  | Service of string option * func list

type definition = { name : string; doc : string; body : body }
type t = { includes : string list; definitions : definition list; file_doc : string }
