(** A 48-bit Ethernet address as an unboxed integer. [Macaddr] is the type at the user's edge. *)

type t = private int
(** 0 to 0xffff_ffff_ffff, the address's first byte highest. *)

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
(** [is_group t] says that [t] is a multicast or broadcast address. *)

val pp : Format.formatter -> t -> unit
