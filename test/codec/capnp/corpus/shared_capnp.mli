(* Made by capnpc-weir from shared.capnp; do not edit. *)

(** Bytes and words that plain fields, groups and unions share. *)

(* In a struct's module: [decode] and [encode] read and write framed messages, [write] resets a
   builder and writes into it. [R] reads fields where they lie in a message, from its [root] on;
   [B] builds them in place, from [init] on. [of_reader] makes a record of a struct in a message,
   [to_builder] fills a new struct of a builder from one. *)

[@@@ocaml.warning "-30"]

module Capnp = Weir_capnp

type shared = {
  a : bool;
  i : bool;
  j : shared_j;
  r : bool;
  s : int;
  t : int;
  u : only option;
  v : only list;
  w : shared list;
  x : string;
  y : bool;
  which : shared_which;
}

and shared_which =
  | B of bool
  | C of int
  | D of string
  | E of shared_e
  | Z
  | Unrecognized of int

and shared_e = {
  f : bool;
  g : bool;
  h : string;
}

and shared_j = {
  k : bool;
  l : int;
  m : Capnp.Bits.t;
  n : shared_j_n;
}

and shared_j_n = 
  | O of bool
  | P
  | Q of int64
  | Unrecognized of int

and only = 
  | None
  | Flag of bool
  | Both of only_both
  | List of bare list
  | Wide of float
  | Unrecognized of int

and only_both = {
  one : bool;
  two : float;
  text : string;
}

and bare = 
  | Old of int64
  | New
  | Unrecognized of int

module Shared : sig
  type which = shared_which =
    | B of bool
    | C of int
    | D of string
    | E of shared_e
    | Z
    | Unrecognized of int

  type t = shared = {
    a : bool;
    i : bool;
    j : shared_j;
    r : bool;
    s : int;
    t : int;
    u : only option;
    v : only list;
    w : shared list;
    x : string;
    y : bool;
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
    type t = shared Capnp.Reader.t

    type which =
      | B
      | C
      | D
      | E
      | Z
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val a : Capnp.Message.t -> t -> bool
    val b : Capnp.Message.t -> t -> bool
    val c : Capnp.Message.t -> t -> int
    val has_d : Capnp.Message.t -> t -> bool
    val d : Capnp.Message.t -> t -> Capnp.Blob.t
    val e : Capnp.Message.t -> t -> shared_e Capnp.Reader.t
    val z : Capnp.Message.t -> t -> unit
    val i : Capnp.Message.t -> t -> bool
    val j : Capnp.Message.t -> t -> shared_j Capnp.Reader.t
    val r : Capnp.Message.t -> t -> bool
    val s : Capnp.Message.t -> t -> int
    val t : Capnp.Message.t -> t -> int
    val has_u : Capnp.Message.t -> t -> bool
    val u : Capnp.Message.t -> t -> only Capnp.Reader.t
    val has_v : Capnp.Message.t -> t -> bool
    val v : Capnp.Message.t -> t -> only Capnp.Items.t
    val has_w : Capnp.Message.t -> t -> bool
    val w : Capnp.Message.t -> t -> shared Capnp.Items.t
    val has_x : Capnp.Message.t -> t -> bool
    val x : Capnp.Message.t -> t -> Capnp.Message.t * Capnp.Blob.t
    val y : Capnp.Message.t -> t -> bool
  end

  (** Building in place. *)
  module B : sig
    type t = shared Capnp.Builder.struct_

    val set_a : Capnp.Builder.t -> t -> bool -> unit
    val set_b : Capnp.Builder.t -> t -> bool -> unit
    val set_c : Capnp.Builder.t -> t -> int -> unit
    val set_d : Capnp.Builder.t -> t -> string -> unit
    val init_e : Capnp.Builder.t -> t -> shared_e Capnp.Builder.struct_
    val set_z : Capnp.Builder.t -> t -> unit
    val set_i : Capnp.Builder.t -> t -> bool -> unit
    val j : Capnp.Builder.t -> t -> shared_j Capnp.Builder.struct_
    val set_r : Capnp.Builder.t -> t -> bool -> unit
    val set_s : Capnp.Builder.t -> t -> int -> unit
    val set_t : Capnp.Builder.t -> t -> int -> unit
    val init_u : Capnp.Builder.t -> t -> only Capnp.Builder.struct_
    val get_u : Capnp.Builder.t -> t -> only Capnp.Builder.struct_ option
    val copy_u : Capnp.Builder.t -> t -> Capnp.Message.t -> only Capnp.Reader.t -> unit
    val init_v : Capnp.Builder.t -> t -> int -> only Capnp.Builder.items
    val get_v : Capnp.Builder.t -> t -> only Capnp.Builder.items option
    val init_w : Capnp.Builder.t -> t -> int -> shared Capnp.Builder.items
    val get_w : Capnp.Builder.t -> t -> shared Capnp.Builder.items option
    val set_x : Capnp.Builder.t -> t -> string -> unit
    val set_y : Capnp.Builder.t -> t -> bool -> unit
  end

  module E : sig
    type t = shared_e = {
      f : bool;
      g : bool;
      h : string;
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
      type t = shared_e Capnp.Reader.t

      val f : Capnp.Message.t -> t -> bool
      val g : Capnp.Message.t -> t -> bool
      val has_h : Capnp.Message.t -> t -> bool
      val h : Capnp.Message.t -> t -> Capnp.Blob.t
    end

    (** Building in place. *)
    module B : sig
      type t = shared_e Capnp.Builder.struct_

      val set_f : Capnp.Builder.t -> t -> bool -> unit
      val set_g : Capnp.Builder.t -> t -> bool -> unit
      val set_h : Capnp.Builder.t -> t -> string -> unit
    end
  end

  module J : sig
    type t = shared_j = {
      k : bool;
      l : int;
      m : Capnp.Bits.t;
      n : shared_j_n;
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
      type t = shared_j Capnp.Reader.t

      val k : Capnp.Message.t -> t -> bool
      val l : Capnp.Message.t -> t -> int
      val has_m : Capnp.Message.t -> t -> bool
      val m : Capnp.Message.t -> t -> [ `Bool ] Capnp.Items.t
      val n : Capnp.Message.t -> t -> shared_j_n Capnp.Reader.t
    end

    (** Building in place. *)
    module B : sig
      type t = shared_j Capnp.Builder.struct_

      val set_k : Capnp.Builder.t -> t -> bool -> unit
      val set_l : Capnp.Builder.t -> t -> int -> unit
      val init_m : Capnp.Builder.t -> t -> int -> [ `Bool ] Capnp.Builder.items
      val get_m : Capnp.Builder.t -> t -> [ `Bool ] Capnp.Builder.items option
      val n : Capnp.Builder.t -> t -> shared_j_n Capnp.Builder.struct_
    end

    module N : sig
      type t = shared_j_n = 
        | O of bool
        | P
        | Q of int64
        | Unrecognized of int

      val default : t
      val of_reader : Capnp.Message.t -> t Capnp.Reader.t -> t
      val to_builder : Capnp.Builder.t -> t Capnp.Builder.struct_ -> t -> unit

      (**/**)

      val size : t -> int
      val unsafe_put : Bytes.t -> int -> t -> int -> int

      (**/**)

      (** Reading in place. *)
      module R : sig
        type t = shared_j_n Capnp.Reader.t

        type which =
          | O
          | P
          | Q
          | Unrecognized of int

        val which : Capnp.Message.t -> t -> which
        val o : Capnp.Message.t -> t -> bool
        val p : Capnp.Message.t -> t -> unit
        val q : Capnp.Message.t -> t -> int64
      end

      (** Building in place. *)
      module B : sig
        type t = shared_j_n Capnp.Builder.struct_

        val set_o : Capnp.Builder.t -> t -> bool -> unit
        val set_p : Capnp.Builder.t -> t -> unit
        val set_q : Capnp.Builder.t -> t -> int64 -> unit
      end
    end
  end
end

(** A union and nothing else. *)
module Only : sig
  type t = only = 
    | None
    | Flag of bool
    | Both of only_both
    | List of bare list
    | Wide of float
    | Unrecognized of int

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
    type t = only Capnp.Reader.t

    type which =
      | None
      | Flag
      | Both
      | List
      | Wide
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val none : Capnp.Message.t -> t -> unit
    val flag : Capnp.Message.t -> t -> bool
    val both : Capnp.Message.t -> t -> only_both Capnp.Reader.t
    val has_list : Capnp.Message.t -> t -> bool
    val list : Capnp.Message.t -> t -> bare Capnp.Items.t
    val wide : Capnp.Message.t -> t -> float
  end

  (** Building in place. *)
  module B : sig
    type t = only Capnp.Builder.struct_

    val set_none : Capnp.Builder.t -> t -> unit
    val set_flag : Capnp.Builder.t -> t -> bool -> unit
    val init_both : Capnp.Builder.t -> t -> only_both Capnp.Builder.struct_
    val init_list : Capnp.Builder.t -> t -> int -> bare Capnp.Builder.items
    val get_list : Capnp.Builder.t -> t -> bare Capnp.Builder.items option
    val set_wide : Capnp.Builder.t -> t -> float -> unit
  end

  module Both : sig
    type t = only_both = {
      one : bool;
      two : float;
      text : string;
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
      type t = only_both Capnp.Reader.t

      val one : Capnp.Message.t -> t -> bool
      val two : Capnp.Message.t -> t -> float
      val has_text : Capnp.Message.t -> t -> bool
      val text : Capnp.Message.t -> t -> Capnp.Blob.t
    end

    (** Building in place. *)
    module B : sig
      type t = only_both Capnp.Builder.struct_

      val set_one : Capnp.Builder.t -> t -> bool -> unit
      val set_two : Capnp.Builder.t -> t -> float -> unit
      val set_text : Capnp.Builder.t -> t -> string -> unit
    end
  end
end

(** Words that no field has are written too. *)
module Bare : sig
  type t = bare = 
    | Old of int64
    | New
    | Unrecognized of int

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
    type t = bare Capnp.Reader.t

    type which =
      | Old
      | New
      | Unrecognized of int

    val which : Capnp.Message.t -> t -> which
    val old : Capnp.Message.t -> t -> int64
    val new_ : Capnp.Message.t -> t -> unit
  end

  (** Building in place. *)
  module B : sig
    type t = bare Capnp.Builder.struct_

    val set_old : Capnp.Builder.t -> t -> int64 -> unit
    val set_new_ : Capnp.Builder.t -> t -> unit
  end
end
