(** ARP packets about the use of an address (RFC 5227). Each is for all hosts on the link. *)

open Weir_wire

val question : Mac.t -> Ip.t -> Arp.t
(** [question mac a] asks who has [a], from a host without an address (§2.1.1). *)

val announcement : Mac.t -> Ip.t -> Arp.t
(** [announcement mac a] says that [mac] has [a] (§2.3). *)

val is_conflict : Arp.t -> Ip.t -> bool
(** [is_conflict arp a] is true if the sender, another host, uses [a], or is about to (§2.1.1). *)
