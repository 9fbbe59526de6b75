(** An ICMP error of either family about a packet of this host, as TCP and UDP hear of it. *)

open Weir_wire

type t = V4 of Icmpv4.t | V6 of Icmpv6.t

val is_hard : t -> bool
(** [is_hard e] is true if a retry cannot succeed: the error ends a TCP connection that is opening
    (RFC 9293 §3.9.2.2). Soft errors of IPv4 are: net, host and route unreachable (codes 0, 1, 5,
    11, 12), because a route may return; fragmentation needed; time exceeded; parameter problem.
    Hard errors of IPv6 are: prohibited, port unreachable, refused by policy or route (codes 1, 4,
    5, 6), and an unknown header. *)

val is_unreachable : t -> bool
(** [is_unreachable e] is true if [e] says that a datagram could not be delivered. *)

type reason =
  | Network
  | Host
  | Port
  | Prohibited
  | Code of int
      (** Why a packet's destination cannot be reached. Each family has codes of its own for them:
          - [Network]: 0 in both;
          - [Host]: 1, over IPv6 3 (address unreachable);
          - [Port]: 3, over IPv6 4;
          - [Prohibited]: 13, over IPv6 1;
          - [Code n]: [n], 0 to 255. *)

val unreachable : like:Ip.t -> reason -> t
(** [unreachable ~like r] is the error about a packet to an address of [like]'s family. *)

val quoting_v4 : Icmpv4.t -> int -> Icmpv4.t
(** [quoting_v4 m n] is [m] followed by [n] bytes. *)

val quoting_v6 : Icmpv6.t -> int -> Icmpv6.t

val host_unreachable : Ip.t -> t
(** [host_unreachable dst] is what a router would say of a host [dst] that does not answer. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints what happened, without lengths. *)
