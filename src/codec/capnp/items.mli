(** Lists where they lie. ['a t] is a list of ['a], a generated type or [[ `Int32 ]] and the like.
    Each getter raises {!Message.Error} if the elements are of another type, [Invalid_argument] if
    the index is out of bounds, and allocates nothing but what it returns. *)

type 'a t [@@immediate]

val empty : 'a t
val length : 'a t -> int
val bool : Message.t -> [ `Bool ] t -> int -> bool
val int8 : Message.t -> [ `Int8 ] t -> int -> int
val int16 : Message.t -> [ `Int16 ] t -> int -> int
val int32 : Message.t -> [ `Int32 ] t -> int -> int
val int64 : Message.t -> [< `Int64 | `Uint64 ] t -> int -> int64
val uint8 : Message.t -> [ `Uint8 ] t -> int -> int

val uint16 : Message.t -> 'a t -> int -> int
(** Also of an enum, whose module has [item]. *)

val uint32 : Message.t -> [ `Uint32 ] t -> int -> int
val float32 : Message.t -> [ `Float32 ] t -> int -> float
val float64 : Message.t -> [ `Float64 ] t -> int -> float
val text : Message.t -> [ `Text ] t -> int -> Blob.t
val data : Message.t -> [ `Data ] t -> int -> Blob.t
val struct_ : Message.t -> 'a t -> int -> 'a Shape.reader
val list : Message.t -> 'a t t -> int -> 'a t
val capability : Message.t -> [ `Capability ] t -> int -> int option

(** {1 To OCaml values}

    What these make is counted: {!Message.Error} says "memory limit reached" once it is more than
    {!Message.of_frame}'s [memory]. *)

val to_list : (Message.t -> 'a t -> int -> 'b) -> Message.t -> 'a t -> 'b list
val structs : (Message.t -> 'a Shape.reader -> 'b) -> Message.t -> 'a t -> 'b list
val lists : (Message.t -> 'a t -> 'b) -> Message.t -> 'a t t -> 'b list

val enums : (int -> 'a) -> known:int -> Message.t -> 'a t -> 'a list
(** [enums of_int ~known m l], where [of_int] gives a constant for numbers below [known]. *)

val voids : Message.t -> [ `Void ] t -> int
(** [voids m l] is [length l]: there is no more to them. *)

val bits : Message.t -> [ `Bool ] t -> Bits.t
(** [bits m l] is a copy, a bit for each. *)

val octets : Message.t -> [< `Int8 | `Uint8 ] t -> string
(** [octets m l] is a copy, a byte for each. *)

val bools : Message.t -> [ `Bool ] t -> bool list
val int8s : Message.t -> [ `Int8 ] t -> int list
val int16s : Message.t -> [ `Int16 ] t -> int list
val int32s : Message.t -> [ `Int32 ] t -> int list
val int64s : Message.t -> [< `Int64 | `Uint64 ] t -> int64 list
val uint8s : Message.t -> [ `Uint8 ] t -> int list
val uint16s : Message.t -> [ `Uint16 ] t -> int list
val uint32s : Message.t -> [ `Uint32 ] t -> int list
val float32s : Message.t -> [ `Float32 ] t -> float list
val float64s : Message.t -> [ `Float64 ] t -> float list
val texts : Message.t -> [ `Text ] t -> string list
val datas : Message.t -> [ `Data ] t -> string list
val capabilities : Message.t -> [ `Capability ] t -> int option list

(**/**)

val handle : 'a t -> int
val pointer_position : Message.t -> int -> int -> int

(** A list of structs that follow each other, from the last to the first. *)

val in_line : 'a t -> bool
(** [in_line l] is whether [l] is one, and not empty. *)

val last : Message.t -> 'a t -> 'a Shape.reader
(** [last m l], which counts the cells of a list of all. *)

val step : 'a Shape.reader -> int

(** Handles that nothing vouches for: what is read by a wrong one may be outside of the message. *)
module Unsafe : sig
  val of_handle : int -> 'a t

  val previous : 'a Shape.reader -> int -> 'a Shape.reader
  (** [previous r (step r)] is the one before [r]. *)
end
