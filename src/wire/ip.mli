(** An IP address of either family.

    A stored address is a string of its bytes. The functions of {!section-flight} compare and hash
    an address inside a packet, so that the packet path allocates no string. The user's interfaces
    use the types of [Ipaddr]. *)

type t = private string
(** 4 bytes for IPv4, 16 for IPv6, in network order. *)

val v4_length : int
(** 4 *)

val v6_length : int
(** 16 *)

val of_int : int -> t
(** [of_int n] is the IPv4 address of the low 32 bits of [n]. *)

val of_v4 : Ipaddr.V4.t -> t

val to_v4 : t -> Ipaddr.V4.t
(** @raise Invalid_argument for an IPv6 address. *)

val of_ipaddr : Ipaddr.t -> t
val to_ipaddr : t -> Ipaddr.t

val is_mapped : t -> bool
(** [is_mapped t] is true in [::ffff:0:0/96], the form in which IPv6 sockets show IPv4 addresses
    (RFC 4291 §2.5.5.2). It must not appear on a link. *)

val mapped : t -> t
(** [mapped t] is the IPv4 address [t] in that form; an IPv6 address stays as it is. *)

val unmapped : t -> t
(** [unmapped t] undoes {!mapped}. *)

val get : Bytes.t -> int -> length:int -> t
(** [get b off ~length] reads [length] bytes.
    @raise Invalid_argument beyond the end of [b], or if [length] is neither 4 nor 16. *)

val set : Bytes.t -> int -> t -> unit
(** [set b off t] writes [t]'s bytes at [off].
    @raise Invalid_argument beyond the end of [b]. *)

val any : t
(** 0.0.0.0 *)

val any_v6 : t
(** [::] *)

val loopback_v6 : t
(** [::1] *)

val all_nodes : t
(** [ff02::1], every node on the link *)

val all_routers : t
(** [ff02::2], every router on the link *)

val any_like : t -> t
(** [any_like t] is {!any} or {!any_v6}, of the family of [t]. *)

val loopback : t
(** 127.0.0.1 *)

val broadcast : t
(** 255.255.255.255 *)

val length : t -> int
(** [length t] is 4 or 16. *)

val header_length : t -> int
(** [header_length t] is the length of the header of a packet to [t], without options: 20 or 40
    bytes. *)

val longest_payload : t -> int
(** [longest_payload t] is the most bytes behind that header, which a length field can tell: 65,515
    or 65,535. *)

val is_v4 : t -> bool
val is_any : t -> bool
val is_multicast : t -> bool
val is_loopback : t -> bool

val is_link_local : t -> bool
(** [is_link_local t] is true in [fe80::/10] and in 169.254.0.0/16. *)

val solicited_node : t -> t
(** [solicited_node t] is the group of the IPv6 address [t] for neighbour discovery (RFC 4291
    §2.7.1). *)

val equal : t -> t -> bool

val compare : t -> t -> int
(** [compare] orders addresses of one family as their bytes do. *)

val bits : t -> int
(** [bits t] is 32 or 128. *)

val shares_prefix : t -> t -> bits:int -> bool
(** [shares_prefix a b ~bits] is true if [a] and [b] are of the same family and their first [bits]
    bits are equal. *)

val network : t -> prefix_length:int -> t
(** [network t ~prefix_length] is the lowest address of [t]'s network: its host bits are 0. *)

val last : t -> prefix_length:int -> t
(** [last t ~prefix_length] is the highest address of [t]'s network: its host bits are 1. *)

val group_mac : t -> Mac.t
(** [group_mac t] is the Ethernet multicast address for the IP multicast address [t] (RFC 1112 §6.4,
    RFC 2464 §7). *)

val hash : int -> t -> port:int -> int
(** [hash h t ~port] is [h] mixed with [t] and the 16 bits of [port]; its high bits depend on every
    bit of all three. A table that peers can fill uses a secret [h]. *)

val key : t -> int
(** [key t] is an integer for fast comparison. For IPv4 it is the 32 bits of the address, so equal
    keys mean equal addresses. For IPv6 it is the 128 bits folded, outside the IPv4 range. Different
    keys always mean different addresses. *)

val pseudo_sum : src:t -> dst:t -> protocol:int -> length:int -> int
(** [pseudo_sum ~src ~dst ~protocol ~length] is the {!Weir_base.Checksum} partial sum of the pseudo
    header (RFC 9293 §3.1, RFC 768, RFC 8200 §8.1) for [length] bytes of transport header and data.
*)

val pp : Format.formatter -> t -> unit

(** {1:flight Inside a packet}

    The address is the [length] bytes of [b] at [at]; [length] is {!v4_length} or {!v6_length}.
    These functions do not allocate.
    @raise Invalid_argument beyond the end of [b]. *)

val is_at : t -> Bytes.t -> int -> length:int -> bool
(** [is_at t b at ~length] is true if that address is [t]. *)

val is_any_at : Bytes.t -> int -> length:int -> bool
val is_multicast_at : Bytes.t -> int -> length:int -> bool
val is_loopback_at : Bytes.t -> int -> length:int -> bool
val is_mapped_at : Bytes.t -> int -> length:int -> bool

val key_at : Bytes.t -> int -> length:int -> int
(** [key_at b at ~length] is {!key} of that address. *)

val hash_key : int -> int -> port:int -> int
(** [hash_key h key ~port] is {!hash} of the IPv4 address that has the {!key}. *)

val hash_at : int -> Bytes.t -> int -> length:int -> port:int -> int
(** [hash_at h b at ~length ~port] is {!hash} of that address. *)

val word : Bytes.t -> int -> int
(** [word b at] is the IPv4 address at [at] as {!key} gives it. *)

val pseudo_sum_at :
  Bytes.t -> src:int -> dst:int -> address_length:int -> protocol:int -> length:int -> int
(** [pseudo_sum_at b ~src ~dst …] is {!pseudo_sum} of the addresses at [src] and [dst] in [b]. *)

val bytes : t -> Bytes.t
(** [bytes t] is [t] as a buffer for these functions, at offset 0. It must not be modified. *)
