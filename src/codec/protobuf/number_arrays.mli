(** Arrays of numbers that OCaml would box: 4 or 8 bytes each, in the machine's byte order. They are
    bytes, as a bigarray of a few numbers costs 400 instructions more: malloc, free, and a block
    with a finalizer. {!Arrays} makes them abstract. *)

type int64s = Bytes.t
type int32s = Bytes.t
type float32s = Bytes.t

val int64s_length : int64s -> int
val int32s_length : int32s -> int
val float32s_length : float32s -> int

module type NUMBERS = sig
  type t
  type element
  type bigarray

  val length : t -> int

  val get : t -> int -> element
  (** @raise Invalid_argument if there is no such index; so does {!set}. *)

  val set : t -> int -> element -> unit

  val init : int -> (int -> element) -> t
  (** [init n f] holds [f 0] to [f (n - 1)]. *)

  val to_bigarray : t -> bigarray
  (** [to_bigarray t] is a copy. *)

  val of_bigarray : bigarray -> t
  (** [of_bigarray b] is a copy. *)
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

module Float32s :
  NUMBERS
    with type t = float32s
     and type element = float
     and type bigarray = (float, Bigarray.float32_elt, Bigarray.c_layout) Bigarray.Array1.t
