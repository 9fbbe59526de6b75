(* Made by capnpc-weir from through.capnp; do not edit. *)

(** Names a type of a file that it does not import itself. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type through = {
  point : Shapes_capnp.point option;
  tree : Kinds_capnp.tree option;
}

module Through : sig
  type t = through = {
    point : Shapes_capnp.point option;
    tree : Kinds_capnp.tree option;
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
    type t = through Capnp.Reader.t

    val has_point : Capnp.Message.t -> t -> bool
    val point : Capnp.Message.t -> t -> Shapes_capnp.point Capnp.Reader.t
    val has_tree : Capnp.Message.t -> t -> bool
    val tree : Capnp.Message.t -> t -> Kinds_capnp.tree Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = through Capnp.Builder.struct_

    val init_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_
    val get_point : Capnp.Builder.t -> t -> Shapes_capnp.point Capnp.Builder.struct_ option
    val copy_point : Capnp.Builder.t -> t -> Capnp.Message.t ->
      Shapes_capnp.point Capnp.Reader.t -> unit
    val init_tree : Capnp.Builder.t -> t -> Kinds_capnp.tree Capnp.Builder.struct_
    val get_tree : Capnp.Builder.t -> t -> Kinds_capnp.tree Capnp.Builder.struct_ option
    val copy_tree : Capnp.Builder.t -> t -> Capnp.Message.t -> Kinds_capnp.tree Capnp.Reader.t ->
      unit
  end
end
