(* Made by weir-thrift from accepted.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type mine =
  | Low
  | Light
  | Unrecognized of int

and defaults = {
  braced : string;
  others : mine;
  others_too : mine;
  unqualified : Parts_v1_thrift.shade;
  by_enum : Parts_v1_thrift.shade;
  other : Parts_v1_thrift.other;
  number : int;
  real : float;
  yes : bool;
  limit : int;
  one : int;
  part : Parts_v1_thrift.part option;
  attributed : int option;
}

and accepted_later_args = {
  part : Parts_v1_thrift.part option;
}

and accepted_again_args = {
  part : Parts_v1_thrift.part option;
}

and accepted_again_result = {
  success : Parts_v1_thrift.part option;
  broken : Parts_v1_thrift.broken option;
}

val braced : string

val uuids : string list

module Mine : sig
  type t = mine =
    | Low
    | Light
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

module Defaults : sig
  type t = defaults = {
    braced : string;
    others : mine;
    others_too : mine;
    unqualified : Parts_v1_thrift.shade;
    by_enum : Parts_v1_thrift.shade;
    other : Parts_v1_thrift.other;
    number : int;
    real : float;
    yes : bool;
    limit : int;
    one : int;
    part : Parts_v1_thrift.part option;
    attributed : int option;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Accepted : sig
  module type S = sig
    include Parts_v1_thrift.Parts.S
    val later : part:Parts_v1_thrift.part option -> unit
    val again : part:Parts_v1_thrift.part option -> Parts_v1_thrift.part
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    include module type of struct include Parts_v1_thrift.Parts.Client end
    val later : Thrift.Rpc.client -> part:Parts_v1_thrift.part option -> unit
    val again : Thrift.Rpc.client -> part:Parts_v1_thrift.part option -> Parts_v1_thrift.part
  end
end
