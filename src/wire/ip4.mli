(** An IPv4 address as an unboxed integer, so that the packet path allocates none. [Ipaddr.V4] is
    the type at the user's edge. *)

type t = private int
(** 0 to 0xffff_ffff, the address's first byte highest. *)

val of_int : int -> t
(** [of_int n] is the address of the low 32 bits of [n]. *)

val get : Bytes.t -> int -> t
(** [get b off] reads four bytes.
    @raise Invalid_argument beyond the end of [b]. *)

val set : Bytes.t -> int -> t -> unit
val of_ipaddr : Ipaddr.V4.t -> t
val to_ipaddr : t -> Ipaddr.V4.t

val any : t
(** 0.0.0.0 *)

val broadcast : t
(** 255.255.255.255 *)

val equal : t -> t -> bool
val is_multicast : t -> bool
val is_loopback : t -> bool
val pp : Format.formatter -> t -> unit

val pseudo_sum : src:t -> dst:t -> protocol:int -> length:int -> int
(** [pseudo_sum ~src ~dst ~protocol ~length] is the {!Weir_base.Checksum} partial sum of the pseudo
    header (RFC 9293 §3.1, RFC 768) for [length] bytes of transport header and data. *)
