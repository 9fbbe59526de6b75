(* Made by weir-thrift from own.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type kind =
  | First
  | Second
  | Unrecognized of int

and thing = {
  parts : thing list;
  kind : kind;
  n : int;
}

and alias = thing

and gone = {
  why : string;
}

and base_take_args = {
  thing : alias option;
}

and base_take_result = {
  success : thing option;
  gone : gone option;
}

val limit : int

module Kind : sig
  type t = kind =
    | First
    | Second
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Thing : sig
  type t = thing = {
    parts : thing list;
    kind : kind;
    n : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Gone : sig
  type t = gone = {
    why : string;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Base : sig
  module type S = sig
    val take : thing:alias option -> thing
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    val take : Thrift.Rpc.client -> thing:alias option -> thing
  end
end

module More : sig
  module type S = sig
    include Base.S
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Base.Client end
  end
end
