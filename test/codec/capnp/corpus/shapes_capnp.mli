(* Made by capnpc-weir from shapes.capnp; do not edit. *)

(** Imported by kinds.capnp. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type colour =
  | Red
  | Green
  | None
  | Unrecognized of int

and point = {
  x : int;
  y : int;
}

module Colour : sig
  type t = colour =
    | Red
    | Green
    | None
    | Unrecognized of int

  val of_int : int -> t
  val to_int : t -> int
  val item : Capnp.Message.t -> t Capnp.Items.t -> int -> t
  val put : Capnp.Builder.t -> t Capnp.Builder.items -> int -> t -> unit
end

module Point : sig
  type t = point = {
    x : int;
    y : int;
  }

  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

  (**/**)

  val size : t -> int
  val unsafe_put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    type t = point Capnp.Reader.t

    val x : Capnp.Message.t -> t -> int
    val y : Capnp.Message.t -> t -> int
  end

  (** Building in place. *)
  module B : sig
    type t = point Capnp.Builder.struct_

    val set_x : Capnp.Builder.t -> t -> int -> unit
    val set_y : Capnp.Builder.t -> t -> int -> unit
  end

  val origin : point
end

val corner : point
