(** Which of an interface's addresses is the source of a packet (RFC 6724 §5 for IPv6). Home
    addresses and temporary addresses are not supported. *)

open Weir_wire

val rank : deprecated:bool -> Ip.t -> bits:int -> Ip.t -> int
(** [rank ~deprecated a ~bits dst] is how well the source address [a], whose prefix has [bits] bits,
    suits packets to [dst]; for IPv4 [dst] is the next hop. Higher is better. 0 if [a] is of the
    other family. *)
