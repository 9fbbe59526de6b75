(* Made by capnpc-weir from payload.capnp; do not edit. *)

(** The codecs study's message. *)

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

  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t

  (** Reading in place. *)
  module R : sig
    val has_first : Capnp.Message.t -> fifth Capnp.Reader.t -> bool
    val first : Capnp.Message.t -> fifth Capnp.Reader.t -> Capnp.Blob.t
    val has_second : Capnp.Message.t -> fifth Capnp.Reader.t -> bool
    val second : Capnp.Message.t -> fifth Capnp.Reader.t -> Capnp.Blob.t
    val has_third : Capnp.Message.t -> fifth Capnp.Reader.t -> bool
    val third : Capnp.Message.t -> fifth Capnp.Reader.t -> Capnp.Blob.t
    val has_fourth : Capnp.Message.t -> fifth Capnp.Reader.t -> bool
    val fourth : Capnp.Message.t -> fifth Capnp.Reader.t -> Capnp.Blob.t
  end

  (** Building in place. *)
  module B : sig
    val set_first : Capnp.Builder.t -> fifth Capnp.Builder.struct_ -> string -> unit
    val set_second : Capnp.Builder.t -> fifth Capnp.Builder.struct_ -> string -> unit
    val set_third : Capnp.Builder.t -> fifth Capnp.Builder.struct_ -> string -> unit
    val set_fourth : Capnp.Builder.t -> fifth Capnp.Builder.struct_ -> string -> unit
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

  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t

  (** Reading in place. *)
  module R : sig
    val first : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val second : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val third : Capnp.Message.t -> payload Capnp.Reader.t -> float
    val fourth : Capnp.Message.t -> payload Capnp.Reader.t -> int
    val has_fifth : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val fifth : Capnp.Message.t -> payload Capnp.Reader.t -> fifth Capnp.Items.t
    val has_sixth : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val sixth : Capnp.Message.t -> payload Capnp.Reader.t -> [ `Int32 ] Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    val set_first : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> bool -> unit
    val set_second : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> bool -> unit
    val set_third : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> float -> unit
    val set_fourth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int -> unit
    val init_fifth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int -> fifth Capnp.Builder.items
    val get_fifth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> fifth Capnp.Builder.items option
    val init_sixth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int -> [ `Int32 ] Capnp.Builder.items
    val get_sixth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> [ `Int32 ] Capnp.Builder.items option
  end

end

