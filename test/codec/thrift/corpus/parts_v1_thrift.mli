(* Made by weir-thrift from parts.v1.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type shade =
  | Dark
  | Light
  | Unrecognized of int

and other =
  | Dark
  | Unrecognized of int

and part = {
  size : int;
}

and broken = {
  part : string;
}

and parts_part_args = {
  size : int;
}

and parts_part_result = {
  success : part option;
  broken : broken option;
}

module Shade : sig
  type t = shade =
    | Dark
    | Light
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Other : sig
  type t = other =
    | Dark
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

val limit : int

module Part : sig
  type t = part = {
    size : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Broken : sig
  type t = broken = {
    part : string;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Parts : sig
  module type S = sig
    val part : size:int -> part
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    val part : Thrift.Rpc.client -> size:int -> part
  end
end
