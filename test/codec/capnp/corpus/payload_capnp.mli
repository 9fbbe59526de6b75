(* Made by capnpc-weir from payload.capnp; do not edit. *)

(** The codecs study's message. *)

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

  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t

  (**/**)

  val size : t -> int
  val put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    val first : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val second : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val third : Capnp.Message.t -> payload Capnp.Reader.t -> float
    val fourth : Capnp.Message.t -> payload Capnp.Reader.t -> int64
    val has_fifth : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val fifth : Capnp.Message.t -> payload Capnp.Reader.t -> words Capnp.Items.t
    val has_sixth : Capnp.Message.t -> payload Capnp.Reader.t -> bool
    val sixth : Capnp.Message.t -> payload Capnp.Reader.t -> [ `Int64 ] Capnp.Items.t
  end

  (** Building in place. *)
  module B : sig
    val set_first : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> bool -> unit
    val set_second : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> bool -> unit
    val set_third : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> float -> unit
    val set_fourth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int64 -> unit
    val init_fifth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int -> words Capnp.Builder.items
    val get_fifth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> words Capnp.Builder.items option
    val init_sixth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> int -> [ `Int64 ] Capnp.Builder.items
    val get_sixth : Capnp.Builder.t -> payload Capnp.Builder.struct_ -> [ `Int64 ] Capnp.Builder.items option
  end

end

module Words : sig
  type t = words = {
    a : string;
    b : string;
    c : string;
    d : string;
  }

  val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
  val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit
  val root : Capnp.Message.t -> t Capnp.Reader.t
  val init : Capnp.Builder.t -> t Capnp.Builder.struct_
  val decode : string -> (t, Capnp.Message.error) result
  val encode : t -> string
  val write : Capnp.Builder.t -> t -> unit
  val default : t

  (**/**)

  val size : t -> int
  val put : Bytes.t -> int -> t -> int -> int

  (**/**)

  (** Reading in place. *)
  module R : sig
    val has_a : Capnp.Message.t -> words Capnp.Reader.t -> bool
    val a : Capnp.Message.t -> words Capnp.Reader.t -> Capnp.Blob.t
    val has_b : Capnp.Message.t -> words Capnp.Reader.t -> bool
    val b : Capnp.Message.t -> words Capnp.Reader.t -> Capnp.Blob.t
    val has_c : Capnp.Message.t -> words Capnp.Reader.t -> bool
    val c : Capnp.Message.t -> words Capnp.Reader.t -> Capnp.Blob.t
    val has_d : Capnp.Message.t -> words Capnp.Reader.t -> bool
    val d : Capnp.Message.t -> words Capnp.Reader.t -> Capnp.Blob.t
  end

  (** Building in place. *)
  module B : sig
    val set_a : Capnp.Builder.t -> words Capnp.Builder.struct_ -> string -> unit
    val set_b : Capnp.Builder.t -> words Capnp.Builder.struct_ -> string -> unit
    val set_c : Capnp.Builder.t -> words Capnp.Builder.struct_ -> string -> unit
    val set_d : Capnp.Builder.t -> words Capnp.Builder.struct_ -> string -> unit
  end

end

