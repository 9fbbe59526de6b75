type int32s = Bytes.t
type float32s = Bytes.t
type int64s = Bytes.t

let[@inline] int32s_length a = Bytes.length a / 4
let float32s_length = int32s_length
let[@inline] int64s_length a = Bytes.length a / 8

module type NUMBERS = sig
  type t
  type element
  type bigarray

  val length : t -> int
  val get : t -> int -> element
  val set : t -> int -> element -> unit
  val init : int -> (int -> element) -> t
  val to_bigarray : t -> bigarray
  val of_bigarray : bigarray -> t
end

let check width i a =
  if i < 0 || i >= Bytes.length a / width then invalid_arg "Weir_protobuf.Arrays: index"

let[@inline] init width set n f =
  if n < 0 || n > Sys.max_string_length / width then invalid_arg "Weir_protobuf.Arrays.init";
  let a = Bytes.create (width * n) in
  for i = 0 to n - 1 do
    set a i (f i)
  done;
  a

let[@inline] to_bigarray length get kind a =
  Bigarray.Array1.init kind C_layout (length a) (fun i -> get a i)

module Int64s = struct
  type t = int64s
  type element = int64
  type bigarray = (int64, Bigarray.int64_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = int64s_length

  let[@inline] get a i =
    check 8 i a;
    Bytes.get_int64_ne a (8 * i)

  let[@inline] set a i v =
    check 8 i a;
    Bytes.set_int64_ne a (8 * i) v

  let init n f = init 8 set n f
  let to_bigarray a : bigarray = to_bigarray length get Int64 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
end

module Int32s = struct
  type t = int32s
  type element = int32
  type bigarray = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = int32s_length

  let[@inline] get a i =
    check 4 i a;
    Bytes.get_int32_ne a (4 * i)

  let[@inline] set a i v =
    check 4 i a;
    Bytes.set_int32_ne a (4 * i) v

  let init n f = init 4 set n f
  let to_bigarray a : bigarray = to_bigarray length get Int32 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
end

module Float32s = struct
  type t = float32s
  type element = float
  type bigarray = (float, Bigarray.float32_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = float32s_length
  let[@inline] get a i = Int32.float_of_bits (Int32s.get a i)
  let[@inline] set a i v = Int32s.set a i (Int32.bits_of_float v)
  let init n f = init 4 set n f
  let to_bigarray a : bigarray = to_bigarray length get Float32 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
end
