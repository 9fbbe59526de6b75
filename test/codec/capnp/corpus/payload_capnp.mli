(* Made by capnpc-weir from payload.capnp; do not edit. *)

(** The codecs study's message. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int64;
  fifth : words list;
  sixth : int64 list;
}

and words = {
  a : string;
  b : string;
  c : string;
  d : string;
}

module Payload : sig
  type t = payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int64;
    fifth : words list;
    sixth : int64 list;
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
    type t = payload Capnp.Reader.t

    val first : Capnp.Message.t -> t -> bool
    val second : Capnp.Message.t -> t -> bool
    val third : Capnp.Message.t -> t -> float
    val fourth : Capnp.Message.t -> t -> int64
    val has_fifth : Capnp.Message.t -> t -> bool
    val fifth : Capnp.Message.t -> t -> words Capnp.Items.t
    val has_sixth : Capnp.Message.t -> t -> bool
    val sixth : Capnp.Message.t -> t -> [ `Int64 ] Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = payload Capnp.Builder.struct_

    val set_first : Capnp.Builder.t -> t -> bool -> unit
    val set_second : Capnp.Builder.t -> t -> bool -> unit
    val set_third : Capnp.Builder.t -> t -> float -> unit
    val set_fourth : Capnp.Builder.t -> t -> int64 -> unit
    val init_fifth : Capnp.Builder.t -> t -> int -> words Capnp.Builder.items
    val get_fifth : Capnp.Builder.t -> t -> words Capnp.Builder.items option
    val init_sixth : Capnp.Builder.t -> t -> int -> [ `Int64 ] Capnp.Builder.items
    val get_sixth : Capnp.Builder.t -> t -> [ `Int64 ] Capnp.Builder.items option
  end
end

module Words : sig
  type t = words = {
    a : string;
    b : string;
    c : string;
    d : string;
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
    type t = words Capnp.Reader.t

    val has_a : Capnp.Message.t -> t -> bool
    val a : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_b : Capnp.Message.t -> t -> bool
    val b : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_c : Capnp.Message.t -> t -> bool
    val c : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_d : Capnp.Message.t -> t -> bool
    val d : Capnp.Message.t -> t -> Capnp.Blob.t
  end

  (** Building in place. *)
  module B : sig
    type t = words Capnp.Builder.struct_

    val set_a : Capnp.Builder.t -> t -> string -> unit
    val set_b : Capnp.Builder.t -> t -> string -> unit
    val set_c : Capnp.Builder.t -> t -> string -> unit
    val set_d : Capnp.Builder.t -> t -> string -> unit
  end
end
