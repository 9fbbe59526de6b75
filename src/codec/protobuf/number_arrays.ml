type int32s = Slice.t
type float32s = Slice.t
type int64s = Slice.t
type float64s = Slice.t

let[@inline] int32s_length a = Slice.length a / 4
let float32s_length = int32s_length
let[@inline] int64s_length a = Slice.length a / 8
let float64s_length = int64s_length

module type NUMBERS = sig
  type t
  type element
  type bigarray

  val length : t -> int
  val get : t -> int -> element
  val equal : t -> t -> bool
  val init : int -> (int -> element) -> t
  val to_bigarray : t -> bigarray
  val of_bigarray : bigarray -> t
  val to_slice : t -> Slice.t
  val of_slice : Slice.t -> t
end

external get32_ne : string -> int -> int32 = "%caml_string_get32u"
external get64_ne : string -> int -> int64 = "%caml_string_get64u"
external swap32 : int32 -> int32 = "%bswap_int32"
external swap64 : int64 -> int64 = "%bswap_int64"

(* Where number [i] begins. A slice never leaves its string. *)
let[@inline] place width a i =
  if i < 0 || i >= Slice.length a / width then invalid_arg "Weir_protobuf.Arrays: index";
  Slice.first a + (width * i)

let[@inline] get32 a i =
  let v = get32_ne (Slice.base a) (place 4 a i) in
  if Sys.big_endian then swap32 v else v

let[@inline] get64 a i =
  let v = get64_ne (Slice.base a) (place 8 a i) in
  if Sys.big_endian then swap64 v else v

let[@inline] init width set n f =
  if n < 0 || n > Sys.max_string_length / width then invalid_arg "Weir_protobuf.Arrays.init";
  let a = Bytes.create (width * n) in
  for i = 0 to n - 1 do
    set a (width * i) (f i)
  done;
  Slice.of_string (Bytes.unsafe_to_string a)

let[@inline] to_bigarray length get kind a =
  Bigarray.Array1.init kind C_layout (length a) (fun i -> get a i)

let whole width s =
  if Slice.length s mod width <> 0 then invalid_arg "Weir_protobuf.Arrays.of_slice";
  s

module Int64s = struct
  type t = int64s
  type element = int64
  type bigarray = (int64, Bigarray.int64_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = int64s_length
  let[@inline] get a i = get64 a i
  let equal = Slice.equal
  let init n f = init 8 Bytes.set_int64_le n f
  let to_bigarray a : bigarray = to_bigarray length get Int64 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
  let to_slice = Fun.id
  let of_slice s = whole 8 s
end

module Int32s = struct
  type t = int32s
  type element = int32
  type bigarray = (int32, Bigarray.int32_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = int32s_length
  let[@inline] get a i = get32 a i
  let equal = Slice.equal
  let init n f = init 4 Bytes.set_int32_le n f
  let to_bigarray a : bigarray = to_bigarray length get Int32 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
  let to_slice = Fun.id
  let of_slice s = whole 4 s
end

module Float64s = struct
  type t = float64s
  type element = float
  type bigarray = (float, Bigarray.float64_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = float64s_length
  let[@inline] get a i = Int64.float_of_bits (get64 a i)
  let equal = Slice.equal
  let init n f = init 8 (fun b p x -> Bytes.set_int64_le b p (Int64.bits_of_float x)) n f
  let to_bigarray a : bigarray = to_bigarray length get Float64 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
  let to_slice = Fun.id
  let of_slice s = whole 8 s
end

module Float32s = struct
  type t = float32s
  type element = float
  type bigarray = (float, Bigarray.float32_elt, Bigarray.c_layout) Bigarray.Array1.t

  let length = float32s_length
  let[@inline] get a i = Int32.float_of_bits (get32 a i)
  let equal = Slice.equal
  let init n f = init 4 (fun b p x -> Bytes.set_int32_le b p (Int32.bits_of_float x)) n f
  let to_bigarray a : bigarray = to_bigarray length get Float32 a
  let of_bigarray (b : bigarray) = init (Bigarray.Array1.dim b) (fun i -> b.{i})
  let to_slice = Fun.id
  let of_slice s = whole 4 s
end
