(** Forwarding of packets between the links of a router (RFC 1812 §5, RFC 8200).

    A packet whose destination is another host leaves by the route with the longest prefix, its time
    to live (hop limit) one less. If the next link is too short for it, it leaves in fragments if it
    is one of IPv4 that allows that. Its sender is told by ICMP when the time to live is over (RFC
    1812 §5.3.1, RFC 4443 §3.3), there is no route (§5.2.7.1; RFC 4443 §3.1), it may not be
    fragmented (§4.3.3.3, with the MTU of RFC 1191 §4; for IPv6 Packet Too Big, RFC 4443 §3.2), the
    next host does not answer (§3.3.2), or the source is link-local and the destination is not (RFC
    4443 §3.1). Errors are limited in rate.

    Never forwarded: what came by link broadcast (§4.2.3.1) or multicast, broadcasts, also directed
    ones (RFC 2644), multicast, loopback, 0.0.0.0/8, [::], link-local (RFC 3927 §7, RFC 4291 §2.5.6)
    and reserved addresses, packets whose source is not another host (§5.3.7), and packets with a
    source route (RFC 7126 §4.3, §4.4). Of IPv6's extension headers a router minds the hop-by-hop
    options only (RFC 8200 §4).

    Not supported: redirects, multicast routing, router options. *)

open Weir_base
open Weir_wire

type t

val create : Counters.t -> Routes.t -> Control_queue.t -> t

val input : t -> now:Time.t -> interface:int -> Packet.t -> frame:Frame.t -> link_group:bool -> unit
(** [input t ~now ~interface p ~frame ~link_group] forwards [p], which is in [frame], came by
    [interface] and is not for this host, or drops and counts it. At most
    {!Control_queue.longest_forwarded} packets wait to be sent. A frame that stands for several
    segments is cut. *)

val refused : t -> now:Time.t -> Ipv6.report -> Packet.t -> link_group:bool -> unit
(** [refused t ~now r p ~link_group] drops [p], whose hop-by-hop options are wrong, and tells its
    sender what [r] says. *)

val undeliverable : t -> now:Time.t -> Bytes.t -> off:int -> v4:bool -> bool
(** [undeliverable t ~now b ~off ~v4] is true if the packet at [off], of IPv4 if [v4], which cannot
    be sent as its next hop does not answer, was another host's: that one is told. *)
