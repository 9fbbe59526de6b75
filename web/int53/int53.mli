(** Integers of OCaml as numbers of JavaScript, where js_of_ocaml has only 32 bits for them.

    A source that opens this module computes with integers of up to 53 bits: nanoseconds, addresses,
    unsigned 32-bit words. Each operation gives what OCaml's 63-bit integers give, or raises
    [Failure] if the result is no exact number. The type stays [int]; comparisons and matching on
    small integers work as they are. In code that is not compiled to JavaScript this module cannot
    be linked. *)

external of_literal : float -> int = "%identity"
(** [of_literal x] is the integer [x]: how a literal of more than 31 bits is written. *)

external ( + ) : int -> int -> int = "int53_add"
external ( - ) : int -> int -> int = "int53_sub"
external ( * ) : int -> int -> int = "int53_mul"
external ( / ) : int -> int -> int = "int53_div"
external ( mod ) : int -> int -> int = "int53_mod"
external ( land ) : int -> int -> int = "int53_and"
external ( lor ) : int -> int -> int = "int53_or"
external ( lxor ) : int -> int -> int = "int53_xor"
external ( lsl ) : int -> int -> int = "int53_lsl"
external ( lsr ) : int -> int -> int = "int53_lsr"
external ( asr ) : int -> int -> int = "int53_asr"
external int_of_float : float -> int = "int53_of_float"
external truncate : float -> int = "int53_of_float"
val ( ~- ) : int -> int
val lnot : int -> int
val succ : int -> int
val pred : int -> int
val abs : int -> int
val incr : int ref -> unit
val decr : int ref -> unit

val max_int : int
(** [max_int] is 2{^ 53} - 1: less than OCaml's. *)

val min_int : int
val int_of_string : string -> int
val int_of_string_opt : string -> int option

module Int32 : sig
  include module type of struct
    include Int32
  end

  external of_int : int -> int32 = "int53_to_int32"
  external to_int : int32 -> int = "int53_of_int32"
end

module Int64 : sig
  include module type of struct
    include Int64
  end

  external of_int : int -> int64 = "int53_to_int64"
  external to_int : int64 -> int = "int53_of_int64"
end

module Sys : sig
  include module type of struct
    include Sys
  end

  val int_size : int
  (** [int_size] is 63: shifts behave as with so many bits. *)
end

module Int : sig
  include module type of struct
    include Int
  end

  val max_int : int
  val min_int : int
  val neg : int -> int
  val succ : int -> int
  val pred : int -> int
  val abs : int -> int
  val lognot : int -> int
  external add : int -> int -> int = "int53_add"
  external sub : int -> int -> int = "int53_sub"
  external mul : int -> int -> int = "int53_mul"
  external div : int -> int -> int = "int53_div"
  external rem : int -> int -> int = "int53_mod"
  external logand : int -> int -> int = "int53_and"
  external logor : int -> int -> int = "int53_or"
  external logxor : int -> int -> int = "int53_xor"
  external shift_left : int -> int -> int = "int53_lsl"
  external shift_right : int -> int -> int = "int53_asr"
  external shift_right_logical : int -> int -> int = "int53_lsr"
  external of_float : float -> int = "int53_of_float"
end

module Float : sig
  include module type of struct
    include Float
  end

  external to_int : float -> int = "int53_of_float"
end

module Random : sig
  include module type of struct
    include Random
  end

  module State : sig
    include module type of struct
      include State
    end

    val make : int array -> t
    val full_int : t -> int -> int
  end
end
