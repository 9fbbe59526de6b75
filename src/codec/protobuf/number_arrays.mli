(** Arrays of numbers that OCaml would box. Each is a {!Slice} of numbers of 4 or 8 bytes, as
    protobuf writes them: the lowest byte first. It cannot be changed. {!Arrays} makes the types
    abstract. *)

type int64s = Slice.t
type int32s = Slice.t
type float64s = Slice.t
type float32s = Slice.t

val int64s_length : int64s -> int
val int32s_length : int32s -> int
val float64s_length : float64s -> int
val float32s_length : float32s -> int

module type NUMBERS = sig
  type t
  type element
  type bigarray

  val length : t -> int

  val get : t -> int -> element
  (** @raise Invalid_argument if there is no such index. *)

  val equal : t -> t -> bool
  (** [equal a b] is whether both hold the same bits. OCaml's [=] compares the strings that they are
      parts of. *)

  val init : int -> (int -> element) -> t
  (** [init n f] holds [f 0] to [f (n - 1)]. *)

  val to_bigarray : t -> bigarray
  (** [to_bigarray t] is a copy. *)

  val of_bigarray : bigarray -> t
  (** [of_bigarray b] is a copy. *)

  val to_slice : t -> Slice.t
  (** [to_slice t] is the numbers' bytes, the lowest of each first. They are not copied. *)

  val of_slice : Slice.t -> t
  (** [of_slice s] is the numbers that these bytes hold. They are not copied.
      @raise Invalid_argument if they are not whole numbers. *)
end

module Int64s :
  NUMBERS
    with type t = int64s
     and type element = int64
     and type bigarray = (int64, Bigarray.int64_elt, Bigarray.c_layout) Bigarray.Array1.t

module Int32s :
  NUMBERS
    with type t = int32s
     and type element = int32
     and type bigarray = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t

module Float64s :
  NUMBERS
    with type t = float64s
     and type element = float
     and type bigarray = (float, Bigarray.float64_elt, Bigarray.c_layout) Bigarray.Array1.t

module Float32s :
  NUMBERS
    with type t = float32s
     and type element = float
     and type bigarray = (float, Bigarray.float32_elt, Bigarray.c_layout) Bigarray.Array1.t
