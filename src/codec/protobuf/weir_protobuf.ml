(* What the library offers. What is not under [Unsafe], or named so, reads and writes nothing
   outside of its arguments, whatever they are, and whoever changes them meanwhile. *)

(** For generated code, which leaves it to the caller to give room enough, and looks at the end of
    the input before it reads. Most functions here check no position: a wrong one reads or writes
    outside of the bytes, or takes a value for one of another type. *)
module Unsafe = struct
  module Arrays = Arrays
  module Budget = Budget
  module Decode = Decode
  module Derived = Derived
  module Encode = Encode
  module Generated = Generated
  module Json_cursor = Json_cursor
  module Json_in = Json_in
  module Json_keys = Json_keys
  module Json_lexer = Json_lexer
  module Json_out = Json_out
  module Json_parse = Json_parse
  module Json_print = Json_print
  module Json_table = Json_table
  module Json_trail = Json_trail
  module Layout = Layout
  module Map_entries = Map_entries
  module Number_lists = Number_lists
  module Text_lexer = Text_lexer
  module Unfolding = Unfolding
  module Utf8 = Utf8
  module Walk = Walk
  module Well_known = Well_known
  module Wire_buffer = Wire_buffer
  module Words = Words
end

module Base64 = Base64
module Codec = Codec
module Descriptor = Descriptor
module Error = Error
module Extension = Extension
module Json = Json
module Message = Message
module Numbers = Numbers
module Proto_file = Proto_file
module Registry = Registry
module Rpc = Rpc
module Slice = Slice
module Text = Text
module Unknown = Unknown

(** Repeated numbers as arrays, for messages generated with [repeated=array] or [repeated=slice].
    Empty ones may be shared. {!int64s} and its like cannot be changed. With [repeated=array] they
    own their numbers; with [repeated=slice] numbers of fixed width that come in one block are a
    part of the decoded string, and keep it alive. If another domain changes an OCaml array while it
    is written, each number is written as before or after the change, or [Invalid_argument] is
    raised. *)
module Arrays : sig
  type int64s = Arrays.int64s
  type int32s = Arrays.int32s
  type float64s = Arrays.float64s
  type float32s = Arrays.float32s

  module type NUMBERS = Arrays.NUMBERS
  (** {!Int64s.get} and its like for what is no OCaml array. *)

  module Int64s = Arrays.Int64s
  module Int32s = Arrays.Int32s
  module Float64s = Arrays.Float64s
  module Float32s = Arrays.Float32s

  val no_floats : floatarray
  val no_float64s : float64s
  val no_float32s : float32s
  val no_int32s : int32s
  val no_int64s : int64s
  val ints_of_list : int list -> int array
  val ints_to_list : int array -> int list
  val bools_of_list : bool list -> bool array
  val bools_to_list : bool array -> bool list
  val floats_of_list : float list -> floatarray
  val floats_to_list : floatarray -> float list
  val float64s_of_list : float list -> float64s
  val float64s_to_list : float64s -> float list
  val float32s_of_list : float list -> float32s
  val float32s_to_list : float32s -> float list

  val int32s_of_list : int list -> int32s
  (** [int32s_of_list l] has the low 32 bits of each. *)

  val int32s_to_list : int32s -> int list

  val uint32s_to_list : int32s -> int list
  (** [uint32s_to_list a] takes them as unsigned. *)

  val int64s_of_list : int64 list -> int64s
  val int64s_to_list : int64s -> int64 list
end =
  Arrays

(** Codecs of OCaml's own types, for the parameters of derived types. *)
module Derived : sig
  val bool_protobuf : bool Codec.t
  val int_protobuf : int Codec.t
  val int32_protobuf : int32 Codec.t
  val int64_protobuf : int64 Codec.t
  val float_protobuf : float Codec.t
  val string_protobuf : string Codec.t
  val bytes_protobuf : bytes Codec.t
end =
  Derived
