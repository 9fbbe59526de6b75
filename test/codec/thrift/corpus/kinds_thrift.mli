(* Made by weir-thrift from kinds.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type points = Shared_thrift.point list

and atlas = (string * points) list

and kinds = {
  flag : bool;
  tiny : int;
  short : int;
  word : int;
  long : int64;
  real : float;
  text : string;
  data : string;
  colour : Shared_thrift.colour;
  point : Shared_thrift.point option;
  id : string;
  flags : bool list;
  tinies : int list;
  shorts : int list;
  words : int list;
  longs : int64 list;
  reals : float list;
  texts : string list;
  points : points;
  colours : Shared_thrift.colour list;
  names : (int * string) list;
  atlas : atlas;
  switches : (string * bool) list;
  matrix : int list list;
  nested : (int64 * (int * string list) list) list;
  maybe : bool option;
  perhaps : int option;
  several : string list option;
  end_ : string;
}

and defaults = {
  word : int;
  text : string;
  colour : Shared_thrift.colour;
  words : int list;
  long : int64 option;
  point : Shared_thrift.point option;
  flag : bool;
  real : float;
}

and strict = {
  here : int;
  point : Shared_thrift.point;
  flag : bool;
}

and shape =
  | Circle of float
  | Corner of Shared_thrift.point
  | Polygon of points
  | Named of string
  | Nothing of bool
  | Inner of shape
  | Unrecognized of int

and tree = {
  value : int64;
  left : tree option;
  right : tree option;
  children : tree list;
}

and empty = unit

and unnumbered = {
  first : int;
  second : string;
}

and calculator_add_args = {
  left : int;
  right : int;
}

and calculator_add_result = {
  success : int option;
}

and calculator_divide_args = {
  by : int;
}

and calculator_divide_result = {
  success : int option;
  trouble : Shared_thrift.trouble option;
}

and calculator_reset_args = unit

and calculator_reset_result = unit

and calculator_hint_args = {
  text : string;
}

and calculator_shape_args = {
  tree : tree option;
}

and calculator_shape_result = {
  success : shape option;
}

val limit : int

val greeting : string

val primes : int list

val ratios : (string * float) list

val shade : Shared_thrift.colour

val corner : Shared_thrift.point

(** A struct with "a quoted word", a (brace) and ( * a comment. *)
module Kinds : sig
  type t = kinds = {
    flag : bool;
    tiny : int;
    short : int;
    word : int;
    long : int64;
    real : float;
    text : string;
    data : string;
    colour : Shared_thrift.colour;
    point : Shared_thrift.point option;
    id : string;
    flags : bool list;
    tinies : int list;
      (** Far from the field before. *)
    shorts : int list;
    words : int list;
    longs : int64 list;
    reals : float list;
    texts : string list;
    points : points;
    colours : Shared_thrift.colour list;
    names : (int * string) list;
    atlas : atlas;
    switches : (string * bool) list;
    matrix : int list list;
    nested : (int64 * (int * string list) list) list;
    maybe : bool option;
    perhaps : int option;
    several : string list option;
    end_ : string;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Defaults : sig
  type t = defaults = {
    word : int;
    text : string;
    colour : Shared_thrift.colour;
    words : int list;
    long : int64 option;
    point : Shared_thrift.point option;
    flag : bool;
    real : float;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Strict : sig
  type t = strict = {
    here : int;
    point : Shared_thrift.point;
    flag : bool;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string
end

module Shape : sig
  type t = shape =
    | Circle of float
    | Corner of Shared_thrift.point
    | Polygon of points
    | Named of string
    | Nothing of bool
    | Inner of shape
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string
end

module Tree : sig
  type t = tree = {
    value : int64;
    left : tree option;
    right : tree option;
    children : tree list;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Empty : sig
  type t = empty

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Unnumbered : sig
  type t = unnumbered = {
    first : int;
    second : string;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Calculator : sig
  module type S = sig
    include Shared_thrift.Named.S
    val add : left:int -> right:int -> int

    (** Raises Trouble for zero. *)
    val divide : by:int -> int
    val reset : unit -> unit
    val hint : text:string -> unit
    val shape : tree:tree option -> shape
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Shared_thrift.Named.Client end
    val add : Thrift.Rpc.client -> left:int -> right:int -> int

    (** Raises Trouble for zero. *)
    val divide : Thrift.Rpc.client -> by:int -> int
    val reset : Thrift.Rpc.client -> unit -> unit
    val hint : Thrift.Rpc.client -> text:string -> unit
    val shape : Thrift.Rpc.client -> tree:tree option -> shape
  end
end
