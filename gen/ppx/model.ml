(* What a group of type declarations says of its messages: what the parser
   makes and the generators read. *)

open Ppxlib

type encoding = Varint | Zigzag | Bits32 | Bits64 | Blob
type scalar = Bool | Int | Int32 | Int64 | Uint32 | Uint64 | Float | String | Bytes

(* A message type: of this group, of elsewhere (its codec's name), or a
   parameter's. *)
type message = Own of string * message list | Other of longident * message list | Var of string
type enum = Own_enum of string | Other_enum of longident
type ty = Scalar of scalar * encoding | Message of message | Enum of enum
type count = Required | Optional | List | Array

type field = {
  name : string;  (** in the descriptor *)
  label : string;  (** the OCaml label, or a name for a local *)
  key : int;
  count : count;
  packed : bool;
  ty : ty;
  default : expression option;
  core : core_type;  (** of one value, without attributes *)
  loc : location;
}

type content =
  | Constant
  | One of field
  | Many of string * field list  (** the payload's message; its fields are the arguments *)

type case = {
  constructor : string;
  poly : bool;
  labels : bool;  (** an inline record *)
  case_key : int;
  content : content;
  case_loc : location;
}

(* How an OCaml value holds a message's fields. *)
type form =
  | Record
  | Tuple
  | Alias
  | Payload of case  (** of a variant's constructor: the fields are arguments, not one value *)

type shape = Fields of form * field list | Cases of case list

type def = {
  id : string;  (** in the names of functions: the type's, or made from where it stands *)
  full_name : string;
  params : string list;
  core_type : core_type;
  shape : shape;
  written : bool;  (** a type declaration, not a part of one *)
  def_loc : location;
}

type group = { defs : def list; path : string }

let is_enum d =
  match d.shape with
  | Cases cases -> List.for_all (fun c -> c.content = Constant) cases
  | Fields _ -> false

let find group id = List.find (fun d -> String.equal d.id id) group.defs
