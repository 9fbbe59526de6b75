(* Made by capnpc-weir from golden.capnp; do not edit. *)

(** A sensor's log: small, with most of what a schema may hold. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type unit_ =
  | Kelvin
  | Pascal
  | Unrecognized of int

and log = {
  sensor : string;
  unit : unit_;
  readings : reading list;
  raw : string;
  place : log_place;
  which : log_which;
}

and log_which =
  | Open
  | Closed of int64
  | Next of log option
  | Unrecognized of int

and log_place = {
  x : float;
  y : float;
}

and reading = {
  time : int64;
  values : int list;
  valid : bool;
}

module Unit : sig
  type t = unit_ =
    | Kelvin
    | Pascal
    | Unrecognized of int

  val of_int : int -> t
  val to_int : t -> int
  val item : Capnp.Message.t -> t Capnp.Items.t -> int -> t
  val put : Capnp.Builder.t -> t Capnp.Builder.items -> int -> t -> unit
end

(** What one sensor measured. *)
module Log : sig
  type which = log_which =
    | Open
        (** Still running. *)
    | Closed of int64
    | Next of log option
    | Unrecognized of int

  type t = log = {
    sensor : string;
    unit : unit_;
    readings : reading list;
    raw : string;
    place : log_place;
    which : which;
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
    type t = log Capnp.Reader.t

    type which =
      | Open
      | Closed
      | Next
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val has_sensor : Capnp.Message.t -> t -> bool
    val sensor : Capnp.Message.t -> t -> Capnp.Blob.t
    val unit : Capnp.Message.t -> t -> unit_
    val has_readings : Capnp.Message.t -> t -> bool
    val readings : Capnp.Message.t -> t -> reading Capnp.Items.t
    val has_raw : Capnp.Message.t -> t -> bool
    val raw : Capnp.Message.t -> t -> Capnp.Blob.t
    val place : Capnp.Message.t -> t -> log_place Capnp.Reader.t
    val open_ : Capnp.Message.t -> t -> unit
    val closed : Capnp.Message.t -> t -> int64
    val has_next : Capnp.Message.t -> t -> bool
    val next : Capnp.Message.t -> t -> log Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = log Capnp.Builder.struct_

    val set_sensor : Capnp.Builder.t -> t -> string -> unit
    val set_unit : Capnp.Builder.t -> t -> unit_ -> unit
    val init_readings : Capnp.Builder.t -> t -> int -> reading Capnp.Builder.items
    val get_readings : Capnp.Builder.t -> t -> reading Capnp.Builder.items option
    val set_raw : Capnp.Builder.t -> t -> string -> unit
    val place : Capnp.Builder.t -> t -> log_place Capnp.Builder.struct_
    val set_open_ : Capnp.Builder.t -> t -> unit
    val set_closed : Capnp.Builder.t -> t -> int64 -> unit
    val init_next : Capnp.Builder.t -> t -> log Capnp.Builder.struct_
    val get_next : Capnp.Builder.t -> t -> log Capnp.Builder.struct_ option
    val copy_next : Capnp.Builder.t -> t -> Capnp.Message.t -> log Capnp.Reader.t -> unit
  end

  module Place : sig
    type t = log_place = {
      x : float;
      y : float;
    }

    val default : t
    val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
    val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

    (**/**)

    val size : t -> int
    val unsafe_put : Bytes.t -> int -> t -> int -> int

    (**/**)

    (** Reading in place. *)
    module R : sig
      type t = log_place Capnp.Reader.t

      val x : Capnp.Message.t -> t -> float
      val y : Capnp.Message.t -> t -> float
    end

    (** Building in place. *)
    module B : sig
      type t = log_place Capnp.Builder.struct_

      val set_x : Capnp.Builder.t -> t -> float -> unit
      val set_y : Capnp.Builder.t -> t -> float -> unit
    end
  end
end

module Reading : sig
  type t = reading = {
    time : int64;
    values : int list;
    valid : bool;
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
    type t = reading Capnp.Reader.t

    val time : Capnp.Message.t -> t -> int64
    val has_values : Capnp.Message.t -> t -> bool
    val values : Capnp.Message.t -> t -> [ `Int16 ] Capnp.Items.t
    val valid : Capnp.Message.t -> t -> bool
  end

  (** Building in place. *)
  module B : sig
    type t = reading Capnp.Builder.struct_

    val set_time : Capnp.Builder.t -> t -> int64 -> unit
    val init_values : Capnp.Builder.t -> t -> int -> [ `Int16 ] Capnp.Builder.items
    val get_values : Capnp.Builder.t -> t -> [ `Int16 ] Capnp.Builder.items option
    val set_valid : Capnp.Builder.t -> t -> bool -> unit
  end
end

val limit : int
