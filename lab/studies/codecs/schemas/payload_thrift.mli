(* Made by weir-thrift from payload.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type fifth = {
  first : string option;
  second : string option;
  third : string option;
  fourth : string option;
}

and payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int;
  fifth : fifth list;
  sixth : int list;
}

module Fifth : sig
  type t = fifth = {
    first : string option;
    second : string option;
    third : string option;
    fourth : string option;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Payload : sig
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : fifth list;
    sixth : int list;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end
