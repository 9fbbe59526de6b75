(* Made by weir-thrift from golden.thrift; do not edit. *)

(* In the module of a type: [decode] and [encode] are between a whole string and a value, [read]
   and [write] between a value and a reader or writer, in which others may precede and follow. *)

[@@@ocaml.warning "-30"]

module Thrift = Weir_thrift

type values = int list

and unit_ =
  | Kelvin
  | Pascal
  | Unrecognized of int

and reading = {
  time : int64;
  values : values;
  note : string option;
  unit : unit_;
}

and place =
  | Name of string
  | Position of (string * float) list
  | Unrecognized of int

and unknown_sensor = {
  why : string;
}

and sensors_latest_args = {
  sensor : string;
}

and sensors_latest_result = {
  success : reading option;
  unknown : unknown_sensor option;
}

and sensors_reset_args = unit

val limit : int

module Unit : sig
  type t = unit_ =
    | Kelvin
    | Pascal
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val of_int : int -> t
  val to_int : t -> int
end

(** What one sensor measured at once. *)
module Reading : sig
  type t = reading = {
    time : int64;
    values : values;
    note : string option;
    unit : unit_;
  }

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string

  val default : t
  (** Each field as it is when it is absent. *)
end

module Place : sig
  type t = place =
    | Name of string
    | Position of (string * float) list
    | Unrecognized of int

  val read : Thrift.Reader.t -> t
  val write : Thrift.Writer.t -> t -> unit
  val decode : Thrift.Kind.protocol -> string -> (t, Thrift.Error.t) result
  val encode : Thrift.Kind.protocol -> t -> string
end

module Unknown_sensor : sig
  type t = unknown_sensor = {
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

module Sensors : sig
  module type S = sig
    val latest : sensor:string -> reading
    val reset : unit -> unit
  end

  (** [dispatch (module H) name r] calls the method and returns what writes the reply;
    [None] if there
      is no such method. For {!Weir_thrift.Rpc.serve}. *)
  val dispatch : (module S) -> string -> Thrift.Reader.t -> (Thrift.Writer.t -> unit) option

  module Client : sig
    val latest : Thrift.Rpc.client -> sensor:string -> reading
    val reset : Thrift.Rpc.client -> unit -> unit
  end
end
