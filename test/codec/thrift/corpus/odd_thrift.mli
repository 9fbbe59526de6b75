(* Made by weir-thrift from odd.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type nodes = node list

and alias = kids

and kids = (string * node) list

and node_ = int64

and empty =
  | Unrecognized of int

and dup =
  | A
  | B
  | C
  | Unrecognized of int

and type_ =
  | Val
  | Module
  | End
  | None
  | Some
  | True
  | Unrecognized_
  | Ok
  | Unrecognized of int

and node = {
  kids : nodes;
  next : node option;
  named : kids;
  alias : alias;
  n : node_;
}

and node__ = {
  lower : int;
}

and option_ = {
  option : option_ option;
  some : int option;
  none : int;
}

and list_ = {
  list : list_ list;
}

and string_ = {
  string : string;
  id : string;
}

and thrift = {
  reader : bool;
}

and unit_ = unit

and bool_ = {
  bool : bool;
  rb : bool;
  ob : bool option;
  lb : bool list;
  mb : (bool * bool) list;
  sb : bool list;
}

and keywords = {
  val_ : int;
  method_ : int;
  w : int;
  v : int;
  r : int;
  last : int;
  header : int;
  x : int;
  h : int;
  ref : int;
  ignore : int;
  raise : int;
  default : int;
  read : int;
  foo_bar : int;
  foo_bar_ : int;
  foo_bar__ : int;
  _x : int;
  mutable_ : int;
  end_ : int;
}

and ids = {
  big : int;
  one : int;
  far : bool;
  near : bool;
  b20 : bool;
}

and defaults = {
  a : int;
  b : int64;
  c : Odd_base_thrift.color;
  d : int list;
  e : (string * Odd_base_thrift.point) list;
  g : Odd_base_thrift.point;
  h : Odd_base_thrift.either option;
  i : int;
  j : int;
  k : float;
  l : int64 list option;
}

and u =
  | Flag of bool
  | Unit of unit_
  | U of u
  | Us of u list
  | M of (int * u) list
  | None of Odd_base_thrift.color
  | Some of float
  | Ok of string
  | Tiny of int
  | Short of int
  | Longs of int64 list
  | Unrecognized of int

and e = {
  e : string;
  cause : e option;
}

and exit = unit

and odd_w_args = {
  w : int;
  v : int;
  r : int;
}

and odd_w_result = {
  success : int option;
}

and odd_fire_args = {
  client : string;
  w : int;
}

and odd_raise_args = unit

and odd_raise_result = {
  e : e option;
  exit : exit option;
  success : Odd_base_thrift.oops option;
}

and odd_ignore_args = {
  ignore : int;
}

and odd_ignore_result = {
  success : int option;
  raise : e option;
}

and odd_option_args = {
  option : option_ option;
}

and odd_option_result = {
  success : option_ option;
}

and odd_complex_args = {
  nodes : nodes;
  u : u option;
  opt : int option;
}

and odd_complex_result = {
  success : (string * node) list list option;
  f : e option;
}

and odd_unit_args = {
  unit : unit_ option;
}

and odd_unit_result = {
  success : unit_ option;
}

and odder_w2_args = unit

and odder_w2_result = {
  success : string option;
}

val ignore_ : int

val ref_ : int

val raise_ : int

val r_ : int

val w_ : int

val header_ : int

val read_node___ : int

val foo_bar : int

val foo_bar_ : int

val wider : int64

val real : float

val least : int64

val quote : string

val one : bool

val nested : (string * (int * string list) list) list

val names : (Odd_base_thrift.color * string) list

val points : Odd_base_thrift.pt list

val either : Odd_base_thrift.either

val history : Odd_base_thrift.history

val number : int

module Empty : sig
  type t = empty =
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Dup : sig
  type t = dup =
    | A
    | B
    | C
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Type : sig
  type t = type_ =
    | Val
    | Module
    | End
    | None
    | Some
    | True
    | Unrecognized_
    | Ok
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Node : sig
  type t = node = {
    kids : nodes;
    next : node option;
    named : kids;
    alias : alias;
    n : node_;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Node_ : sig
  type t = node__ = {
    lower : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Option_ : sig
  type t = option_ = {
    option : option_ option;
    some : int option;
    none : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module List : sig
  type t = list_ = {
    list : list_ list;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module String_ : sig
  type t = string_ = {
    string : string;
    id : string;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Thrift_ : sig
  type t = thrift = {
    reader : bool;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Unit : sig
  type t = unit_

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Bool : sig
  type t = bool_ = {
    bool : bool;
    rb : bool;
    ob : bool option;
    lb : bool list;
    mb : (bool * bool) list;
    sb : bool list;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Keywords : sig
  type t = keywords = {
    val_ : int;
    method_ : int;
    w : int;
    v : int;
    r : int;
    last : int;
    header : int;
    x : int;
    h : int;
    ref : int;
    ignore : int;
    raise : int;
    default : int;
    read : int;
    foo_bar : int;
    foo_bar_ : int;
    foo_bar__ : int;
    _x : int;
    mutable_ : int;
    end_ : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Ids : sig
  type t = ids = {
    big : int;
    one : int;
    far : bool;
    near : bool;
    b20 : bool;
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
    a : int;
    b : int64;
    c : Odd_base_thrift.color;
    d : int list;
    e : (string * Odd_base_thrift.point) list;
    g : Odd_base_thrift.point;
    h : Odd_base_thrift.either option;
    i : int;
    j : int;
    k : float;
    l : int64 list option;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module U : sig
  type t = u =
    | Flag of bool
    | Unit of unit_
    | U of u
    | Us of u list
    | M of (int * u) list
    | None of Odd_base_thrift.color
    | Some of float
    | Ok of string
    | Tiny of int
    | Short of int
    | Longs of int64 list
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string
end

module E : sig
  type t = e = {
    e : string;
    cause : e option;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Exit : sig
  type t = exit

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Odd : sig
  module type S = sig
    include Odd_base_thrift.Base.S
    val w : w:int -> v:int -> r:int -> int
    val fire : client:string -> w:int -> unit
    val raise_ : unit -> unit
    val ignore : ignore:int -> int
    val option : option:option_ option -> option_
    val complex : nodes:nodes -> u:u option -> opt:int option -> (string * node) list list
    val unit : unit:unit_ option -> unit_
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Odd_base_thrift.Base.Client end
    val w : Thrift.Rpc.client -> w:int -> v:int -> r:int -> int
    val fire : Thrift.Rpc.client -> client:string -> w:int -> unit
    val raise_ : Thrift.Rpc.client -> unit -> unit
    val ignore : Thrift.Rpc.client -> ignore:int -> int
    val option : Thrift.Rpc.client -> option:option_ option -> option_
    val complex : Thrift.Rpc.client -> nodes:nodes -> u:u option -> opt:int option ->
      (string * node) list list
    val unit : Thrift.Rpc.client -> unit:unit_ option -> unit_
  end
end

module Odder : sig
  module type S = sig
    include Odd.S
    val w2 : unit -> string
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Odd.Client end
    val w2 : Thrift.Rpc.client -> unit -> string
  end
end

module Nothing : sig
  module type S = sig
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
  end
end

module Nothing2 : sig
  module type S = sig
    include Nothing.S
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Nothing.Client end
  end
end
