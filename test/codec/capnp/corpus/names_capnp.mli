(* Made by capnpc-weir from names.capnp; do not edit. *)

(** Names that meet the generated code's own. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type point = {
  x : int;
  back : point option;
}

and names = {
  not : bool;
  usually : bool;
  ignore : names_ignore;
  other : names_other;
  which : string;
  r : names option;
  which_ : names_which;
}

and names_which =
  | None
  | Some of string
  | Unrecognized_ of int
  | Unrecognized of int

and names_capnp_ = {
  option : names_option option;
}

and names_option = {
  string : names_string option;
}

and names_string = {
  capnp : names_capnp_ list;
}

and names_ignore = {
  inner : int;
  not : names_ignore_not;
}

and names_ignore_not = {
  innermost : bool;
}

and names_other = {
  y : int;
}

val point : point

val ignore_ : int

val not_ : bool

val read_point_ : int

val default1 : int

val point_of_int_ : int

module Point : sig
  type t = point = {
    x : int;
    back : point option;
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
    val has_back : Capnp.Message.t -> t -> bool
    val back : Capnp.Message.t -> t -> Capnp.Message.t * point Capnp.Reader.t
  end

  (** Building in place. *)
  module B : sig
    type t = point Capnp.Builder.struct_

    val set_x : Capnp.Builder.t -> t -> int -> unit
    val init_back : Capnp.Builder.t -> t -> point Capnp.Builder.struct_
    val get_back : Capnp.Builder.t -> t -> point Capnp.Builder.struct_ option
    val copy_back : Capnp.Builder.t -> t -> Capnp.Message.t -> point Capnp.Reader.t -> unit
  end
end

module Names : sig
  type which = names_which =
    | None
    | Some of string
    | Unrecognized_ of int
    | Unrecognized of int

  type t = names = {
    not : bool;
    usually : bool;
    ignore : names_ignore;
    other : names_other;
    which : string;
    r : names option;
    which_ : which;
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
    type t = names Capnp.Reader.t

    type which =
      | None
      | Some
      | Unrecognized_
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val not_ : Capnp.Message.t -> t -> bool
    val usually : Capnp.Message.t -> t -> bool
    val ignore_ : Capnp.Message.t -> t -> names_ignore Capnp.Reader.t
    val other : Capnp.Message.t -> t -> names_other Capnp.Reader.t
    val has_which_ : Capnp.Message.t -> t -> bool
    val which_ : Capnp.Message.t -> t -> Capnp.Blob.t
    val has_r : Capnp.Message.t -> t -> bool
    val r : Capnp.Message.t -> t -> names Capnp.Reader.t
    val none : Capnp.Message.t -> t -> unit
    val has_some : Capnp.Message.t -> t -> bool
    val some : Capnp.Message.t -> t -> Capnp.Blob.t
    val unrecognized : Capnp.Message.t -> t -> int
  end

  (** Building in place. *)
  module B : sig
    type t = names Capnp.Builder.struct_

    val set_not_ : Capnp.Builder.t -> t -> bool -> unit
    val set_usually : Capnp.Builder.t -> t -> bool -> unit
    val ignore_ : Capnp.Builder.t -> t -> names_ignore Capnp.Builder.struct_
    val other : Capnp.Builder.t -> t -> names_other Capnp.Builder.struct_
    val set_which : Capnp.Builder.t -> t -> string -> unit
    val init_r : Capnp.Builder.t -> t -> names Capnp.Builder.struct_
    val get_r : Capnp.Builder.t -> t -> names Capnp.Builder.struct_ option
    val copy_r : Capnp.Builder.t -> t -> Capnp.Message.t -> names Capnp.Reader.t -> unit
    val set_none : Capnp.Builder.t -> t -> unit
    val set_some : Capnp.Builder.t -> t -> string -> unit
    val set_unrecognized : Capnp.Builder.t -> t -> int -> unit
  end

  val names : string

  module Capnp_ : sig
    type t = names_capnp_ = {
      option : names_option option;
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
      type t = names_capnp_ Capnp.Reader.t

      val has_option : Capnp.Message.t -> t -> bool
      val option : Capnp.Message.t -> t -> names_option Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = names_capnp_ Capnp.Builder.struct_

      val init_option : Capnp.Builder.t -> t -> names_option Capnp.Builder.struct_
      val get_option : Capnp.Builder.t -> t -> names_option Capnp.Builder.struct_ option
      val copy_option : Capnp.Builder.t -> t -> Capnp.Message.t -> names_option Capnp.Reader.t ->
        unit
    end
  end

  module Option : sig
    type t = names_option = {
      string : names_string option;
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
      type t = names_option Capnp.Reader.t

      val has_string : Capnp.Message.t -> t -> bool
      val string : Capnp.Message.t -> t -> names_string Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = names_option Capnp.Builder.struct_

      val init_string : Capnp.Builder.t -> t -> names_string Capnp.Builder.struct_
      val get_string : Capnp.Builder.t -> t -> names_string Capnp.Builder.struct_ option
      val copy_string : Capnp.Builder.t -> t -> Capnp.Message.t -> names_string Capnp.Reader.t ->
        unit
    end
  end

  module String : sig
    type t = names_string = {
      capnp : names_capnp_ list;
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
      type t = names_string Capnp.Reader.t

      val has_capnp : Capnp.Message.t -> t -> bool
      val capnp : Capnp.Message.t -> t -> names_capnp_ Capnp.Items.t
    end

    (** Building in place. *)
    module B : sig
      type t = names_string Capnp.Builder.struct_

      val init_capnp : Capnp.Builder.t -> t -> int -> names_capnp_ Capnp.Builder.items
      val get_capnp : Capnp.Builder.t -> t -> names_capnp_ Capnp.Builder.items option
    end
  end

  module Ignore : sig
    type t = names_ignore = {
      inner : int;
      not : names_ignore_not;
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
      type t = names_ignore Capnp.Reader.t

      val inner : Capnp.Message.t -> t -> int
      val not_ : Capnp.Message.t -> t -> names_ignore_not Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = names_ignore Capnp.Builder.struct_

      val set_inner : Capnp.Builder.t -> t -> int -> unit
      val not_ : Capnp.Builder.t -> t -> names_ignore_not Capnp.Builder.struct_
    end

    module Not : sig
      type t = names_ignore_not = {
        innermost : bool;
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
        type t = names_ignore_not Capnp.Reader.t

        val innermost : Capnp.Message.t -> t -> bool
      end

      (** Building in place. *)
      module B : sig
        type t = names_ignore_not Capnp.Builder.struct_

        val set_innermost : Capnp.Builder.t -> t -> bool -> unit
      end
    end
  end

  module Other : sig
    type t = names_other = {
      y : int;
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
      type t = names_other Capnp.Reader.t

      val y : Capnp.Message.t -> t -> int
    end

    (** Building in place. *)
    module B : sig
      type t = names_other Capnp.Builder.struct_

      val set_y : Capnp.Builder.t -> t -> int -> unit
    end
  end
end
