(* Made by capnpc-weir from payload.capnp; do not edit. *)

(** The codecs study's message. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type fifth = {
  first : string;
  second : string;
  third : string;
  fourth : string;
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
    first : string;
    second : string;
    third : string;
    fourth : string;
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
    type t = fifth Capnp.Reader.t

    val has_first : Capnp.Message.t -> t -> bool
    val first : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_second : Capnp.Message.t -> t -> bool
    val second : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_third : Capnp.Message.t -> t -> bool
    val third : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_fourth : Capnp.Message.t -> t -> bool
    val fourth : Capnp.Message.t -> t -> Capnp.Blob.t
  end

  (** Building in place. *)
  module B : sig
    type t = fifth Capnp.Builder.struct_

    val set_first : Capnp.Builder.t -> t -> string -> unit
    val set_second : Capnp.Builder.t -> t -> string -> unit
    val set_third : Capnp.Builder.t -> t -> string -> unit
    val set_fourth : Capnp.Builder.t -> t -> string -> unit
  end
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
    val fourth : Capnp.Message.t -> t -> int
    val has_fifth : Capnp.Message.t -> t -> bool
    val fifth : Capnp.Message.t -> t -> fifth Capnp.Items.t
    val has_sixth : Capnp.Message.t -> t -> bool
    val sixth : Capnp.Message.t -> t -> [ `Int32 ] Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    type t = payload Capnp.Builder.struct_

    val set_first : Capnp.Builder.t -> t -> bool -> unit
    val set_second : Capnp.Builder.t -> t -> bool -> unit
    val set_third : Capnp.Builder.t -> t -> float -> unit
    val set_fourth : Capnp.Builder.t -> t -> int -> unit
    val init_fifth : Capnp.Builder.t -> t -> int -> fifth Capnp.Builder.items
    val get_fifth : Capnp.Builder.t -> t -> fifth Capnp.Builder.items option
    val init_sixth : Capnp.Builder.t -> t -> int -> [ `Int32 ] Capnp.Builder.items
    val get_sixth : Capnp.Builder.t -> t -> [ `Int32 ] Capnp.Builder.items option
  end
end
