(** A 48-bit Ethernet address as an unboxed integer. The user's interfaces use [Macaddr]. *)

type t = private int
(** 0 to 0xffff_ffff_ffff, with the address's first byte in the highest bits. *)

val of_int : int -> t

val get : Bytes.t -> int -> t
(** [get b off] reads six bytes.
    @raise Invalid_argument beyond the end of [b]. *)

val set : Bytes.t -> int -> t -> unit
val of_macaddr : Macaddr.t -> t
val to_macaddr : t -> Macaddr.t
val broadcast : t
val equal : t -> t -> bool

val is_group : t -> bool
(** [is_group t] is true if [t] is a multicast or broadcast address. *)

val pp : Format.formatter -> t -> unit
