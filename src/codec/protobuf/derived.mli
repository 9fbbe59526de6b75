(** What the code of [[@@deriving protobuf]] calls beside {!Decode} and {!Encode}: OCaml's own
    integers, which are of 63 bits, and descriptors of types that no [.proto] file has.

    Reading functions follow {!Decode}'s steps of a generated reader: [v] is the number that stands
    between [from] and [p], as far as an int holds it. They raise {!Error.Error} where a number does
    not fit its OCaml type. *)

type 'a enum = { descriptor : Descriptor.enum; to_int : 'a -> int; of_int : int -> int -> 'a }
(** A variant without arguments as a bare number; [of_int position n] raises {!Error.Error} for a
    number that is no constructor's key. *)

val first : 'a enum -> 'a
(** [first e] is the first constructor. *)

(** {1 Reading} *)

val int : int -> string -> int -> int -> int
(** [int v s from p] is the number, all 63 bits of it. *)

val zigzag : int -> string -> int -> int -> int
(** [zigzag] is {!int} undone from zigzag. *)

val int_of_int64 : int -> int64 -> int
(** [int_of_int64 position v] is [v] if it fits. *)

val in_32 : int -> int -> int
(** [in_32 position v] is [v] if it fits 32 bits with sign. *)

val in_u32 : int -> int -> int
(** [in_u32 position v] is [v] if it fits 32 bits with or without sign. *)

val packed_int : string -> int -> int -> int list
(** [packed_int s from stop] is the packed varints between these positions, in order. *)

val run_int : string -> int -> int -> int -> int ref -> int list
(** [run_int s pos limit tag at] is the varints that stand from [pos] on, each behind a [tag] of one
    byte, up to [!at], which it sets: before the first that takes more than eight bytes or is not
    whole. *)

val only : int -> int -> int -> int
(** [only position seen key] is [key], the constructor whose payload was met, unless [seen], 0 or
    the one met before, is another. *)

val wrong_wire : int -> string -> int -> exn
(** [wrong_wire position field tag]: the field is known, and not in [tag]'s wire type. *)

val no_constructor : int -> string -> int -> exn
(** [no_constructor position type_name key]: no constructor has this key, or it came without its
    payload, or with another's. [key] is 0 if the tag was missing. *)

val missing : int -> string -> exn
(** [missing position field]: a required field was not there. *)

(** {1 Writing} *)

val size_int : int -> int
(** [size_int v] is the size of [v], all 63 bits, as {!Encode.int32} writes it. *)

val sum_int : int list -> int
(** [sum_int] is [Encode.sum size_int]. *)

val add_ints : int -> int list -> int
(** [add_ints sum l] is [sum] and the size of {!put_ints}. *)

val put_ints : Bytes.t -> int -> int -> int list -> int
(** [put_ints b stop tag l] writes [l]'s elements as {!Encode.int32} does, before [stop], each
    behind a [tag] of one byte, and is where they begin. *)

val put_text : Bytes.t -> int -> int -> string -> int
(** [put_text b stop tag s] writes [s], not looked at, behind its length and a [tag] of one byte. *)

val put_block : Bytes.t -> int -> int -> int -> int
(** [put_block] is {!Encode.block} for a tag of one byte. *)

val size_zigzag : int -> int
val put_zigzag : Bytes.t -> int -> int -> int

val narrow : int64 -> int
(** [narrow v] is [v] as an int, for a field of 32 bits.
    @raise Invalid_argument if it does not fit. *)

val same_float : float -> float -> bool
(** [same_float x y] is whether both have the same bits: what a default is compared by. *)

(** {1 Descriptors} *)

val endless : string -> Descriptor.message
(** [endless name] stands where a description cannot be written out: because it has no end, as that
    of [type 'a t = Leaf | Node of 'a pair t] has none (JSON and text refuse such messages), or
    because it is made by another module, of a type that needs it: then the codec's registry knows
    it ({!Registry.resolve}). *)

val applied : string -> string list -> string
(** [applied name arguments] is the full name of a parameterised type's instance at messages of
    these names. *)

val to_json :
  Descriptor.message -> ('a -> int) -> (Bytes.t -> int -> 'a -> int) -> Json_out.t -> 'a -> unit

val of_json : Descriptor.message -> (string -> int -> int -> int -> 'a) -> Json_in.t -> 'a
(** JSON by the descriptor, through the encoding. *)

val merge :
  ('a -> int) ->
  (Bytes.t -> int -> 'a -> int) ->
  (string -> int -> int -> int -> 'a) ->
  'a ->
  string ->
  int ->
  int ->
  int ->
  'a
(** [merge size write read init s pos limit depth] reads [init]'s encoding and then what stands
    between the positions, as one. *)

(** {1 Messages of one field}

    As [type t = int [@@deriving protobuf]] would give them: type arguments. *)

val bool_protobuf : bool Codec.t
val int_protobuf : int Codec.t
val int32_protobuf : int32 Codec.t
val int64_protobuf : int64 Codec.t
val float_protobuf : float Codec.t
val string_protobuf : string Codec.t
val bytes_protobuf : Bytes.t Codec.t

(** The operators of generated code, whatever its user's scope calls so. *)
module Ops : sig
  external ( + ) : int -> int -> int = "%addint"
  external ( - ) : int -> int -> int = "%subint"
  external ( * ) : int -> int -> int = "%mulint"
  external ( < ) : int -> int -> bool = "%lessthan"
  external ( = ) : int -> int -> bool = "%equal"
  external ( land ) : int -> int -> int = "%andint"
  external ( lor ) : int -> int -> int = "%orint"
  external ( lsr ) : int -> int -> int = "%lsrint"
  external ( == ) : 'a -> 'a -> bool = "%eq"
  external ref : 'a -> 'a ref = "%makemutable"
  external ( ! ) : 'a ref -> 'a = "%field0"
  external ( := ) : 'a ref -> 'a -> unit = "%setfield0"
  external raise : exn -> 'a = "%raise"
  external not : bool -> bool = "%boolnot"
end
