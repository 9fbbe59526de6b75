(** Repeated numbers as arrays, for code generated with [repeated=array] or [repeated=slice]: packed
    ones are read and written in blocks.

    Varints of 32 bits are an [int array], [bool] a [bool array], [double] a [floatarray] or, with
    [repeated=slice], {!float64s}; [float] is {!float32s}, [fixed32] and [sfixed32] {!int32s},
    integers of 64 bits {!int64s}, unsigned ones by their bits. Arrays that are read are fresh;
    empty ones may be shared. With [repeated=slice], numbers of fixed width that come in one block
    are a part of the input, which must not change.

    An array is read when it is written. If another domain changes an OCaml array meanwhile, each
    number is written as before or after the change, or {!Encode.changed} is raised; nothing outside
    of the message is touched. *)

type int64s
type int32s
type float64s
type float32s

module type NUMBERS = Number_arrays.NUMBERS

module Int64s :
  NUMBERS
    with type t = int64s
     and type element = int64
     and type bigarray = Number_arrays.Int64s.bigarray

module Int32s :
  NUMBERS
    with type t = int32s
     and type element = int32
     and type bigarray = Number_arrays.Int32s.bigarray

module Float64s :
  NUMBERS
    with type t = float64s
     and type element = float
     and type bigarray = Number_arrays.Float64s.bigarray

module Float32s :
  NUMBERS
    with type t = float32s
     and type element = float
     and type bigarray = Number_arrays.Float32s.bigarray

val no_floats : floatarray
val no_float64s : float64s
val no_float32s : float32s
val no_int32s : int32s
val no_int64s : int64s
val length : 'a array -> int
val floats_length : floatarray -> int
val float64s_length : float64s -> int
val float32s_length : float32s -> int
val int32s_length : int32s -> int
val int64s_length : int64s -> int

(** {1 Lists} *)

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

(** {1 Reading}

    What has been read of a field, as blocks and one by one. A block is the numbers between two
    positions, which must be within the string. All raise {!Error.Error} as {!Decode} does. *)

type 'a growing

val ints : unit -> int array growing
val bools : unit -> bool array growing
val floats : unit -> floatarray growing
val float64s : unit -> float64s growing
val float32s : unit -> float32s growing
val int32s : unit -> int32s growing
val int64s : unit -> int64s growing
val add_int : int array growing -> int -> unit
val add_bool : bool array growing -> bool -> unit
val add_float : floatarray growing -> float -> unit
val add_float64 : float64s growing -> float -> unit
val add_float32 : float32s growing -> float -> unit

val add_int32 : int32s growing -> int -> unit
(** [add_int32 g v] adds the low 32 bits. *)

val add_int64 : int64s growing -> int64 -> unit

val block : 'a growing -> string -> int -> int -> int -> int -> int
(** [block g s from len limit depth] is {!Decode.stop} of a block of numbers that is to be added to
    [g]; what [g] may have to grow for it is charged to [depth]'s {!Budget}. *)

val packed_int32 : int array growing -> string -> int -> int -> unit
val packed_uint32 : int array growing -> string -> int -> int -> unit
val packed_sint32 : int array growing -> string -> int -> int -> unit
val packed_bool : bool array growing -> string -> int -> int -> unit
val packed_int64 : int64s growing -> string -> int -> int -> unit
val packed_sint64 : int64s growing -> string -> int -> int -> unit
val packed_fixed32 : int32s growing -> string -> int -> int -> unit
val packed_fixed64 : int64s growing -> string -> int -> int -> unit
val packed_float : float32s growing -> string -> int -> int -> unit
val packed_double : floatarray growing -> string -> int -> int -> unit

val sliced_fixed32 : int32s growing -> string -> int -> int -> unit
(** [sliced_fixed32 g s first stop] is {!packed_fixed32}, without a copy if it is the first;
    likewise the others. *)

val sliced_fixed64 : int64s growing -> string -> int -> int -> unit
val sliced_float : float32s growing -> string -> int -> int -> unit
val sliced_double : float64s growing -> string -> int -> int -> unit

val all_ints : int array -> int array growing -> int array
(** [all_ints before g] is [before] and what was added, in order; likewise the others. *)

val all_bools : bool array -> bool array growing -> bool array
val all_floats : floatarray -> floatarray growing -> floatarray
val all_float64s : float64s -> float64s growing -> float64s
val all_float32s : float32s -> float32s growing -> float32s
val all_int32s : int32s -> int32s growing -> int32s
val all_int64s : int64s -> int64s growing -> int64s

(** {1 Writing}

    Sizes and writers of packed fields without their tag and length, as {!Encode} has them. *)

val size_int32 : int array -> int
(** @raise Invalid_argument if a number does not fit 32 bits; so do its neighbours. *)

val size_uint32 : int array -> int
val size_sint32 : int array -> int
val size_int64 : int64s -> int
val size_sint64 : int64s -> int
val write_int32 : Bytes.t -> int -> int array -> int
val write_uint32 : Bytes.t -> int -> int array -> int
val write_sint32 : Bytes.t -> int -> int array -> int
val write_bool : Bytes.t -> int -> bool array -> int
val write_int64 : Bytes.t -> int -> int64s -> int
val write_sint64 : Bytes.t -> int -> int64s -> int
val write_fixed32 : Bytes.t -> int -> int32s -> int
val write_fixed64 : Bytes.t -> int -> int64s -> int
val write_float : Bytes.t -> int -> float32s -> int
val write_float64 : Bytes.t -> int -> float64s -> int
val write_double : Bytes.t -> int -> floatarray -> int
