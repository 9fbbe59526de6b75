(* Made by weir-thrift from odd_base.thrift; do not edit. *)

(** What odd.thrift includes. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type timestamp = int64

and history = (string * timestamp list) list

and color =
  | Red
  | Green
  | Blue
  | Neg
  | Unrecognized of int

and colour = color

and point = {
  x : int;
  y : int;
}

and pt = point

and oops = {
  message : string;
  colour : colour option;
}

and either =
  | Left of int
  | Right of string
  | Either of either
  | Many of either list
  | Unrecognized of int

and base_ping_args = unit

and base_ping_result = unit

and base_echo_args = {
  text : string;
}

and base_echo_result = {
  success : string option;
  oops : oops option;
}

module Color : sig
  type t = color =
    | Red
    | Green
    | Blue
    | Neg
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Point : sig
  type t = point = {
    x : int;
    y : int;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

val limit : int

val origin : pt

val favourite : color

module Oops : sig
  type t = oops = {
    message : string;
    colour : colour option;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)

  exception E of t
end

module Either : sig
  type t = either =
    | Left of int
    | Right of string
    | Either of either
    | Many of either list
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string
end

module Base : sig
  module type S = sig
    val ping : unit -> unit
    val echo : text:string -> string
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    val ping : Thrift.Rpc.client -> unit -> unit
    val echo : Thrift.Rpc.client -> text:string -> string
  end
end
