(* Made by weir-thrift from shared.thrift; do not edit. *)

(** What kinds.thrift includes. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type coordinate = int

and colour =
  | Red
  | Green
  | None
  | Unrecognized of int

and point = {
  x : coordinate;
  y : coordinate;
}

and trouble = {
  why : string;
  code : int;
}

and named_name_args = unit

and named_name_result = {
  success : string option;
}

module Colour : sig
  type t = colour =
    | Red
    | Green
    | None
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Point : sig
  type t = point = {
    x : coordinate;
    y : coordinate;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Trouble : sig
  type t = trouble = {
    why : string;
    code : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Named : sig
  module type S = sig
    val name : unit -> string
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    val name : Thrift.Rpc.client -> unit -> string
  end
end
