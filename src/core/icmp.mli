(** The ICMP messages that a host may or must send (RFC 792, RFC 1122 §3.2.2, RFC 4443): when to
    send them and their bytes. The stack sends them and limits their rate. *)

open Weir_wire

val echo_reply : Bytes.t -> off:int -> len:int -> unit
(** [echo_reply b ~off ~len] changes the echo request of [len] bytes at [off] into its reply (RFC
    1122 §3.2.2.6). The request must be valid. The checksum is adjusted (RFC 1624), not recomputed.
*)

val may_answer : Routes.t -> Packet.t -> bool
(** [may_answer routes p] is true if an echo request in [p] is answered: it was sent to this host,
    not to a group (§3.2.2.6 allows either), from a unicast address. This host's own and loopback
    addresses are allowed. *)

val may_answer_group : Routes.t -> Packet.t -> bool
(** [may_answer_group routes p] is true if an echo request in [p] is answered that was sent to all
    nodes of the link (RFC 4443 §4.2). *)

val is_request : Packet.t -> bool
(** [is_request p] is true if [p] is an echo request or asks for a neighbour, or is too short to be
    anything. *)

val may_report : ?to_group:bool -> Routes.t -> link_group:bool -> Packet.t -> bool
(** [may_report routes ~link_group p] is true if an ICMP error may be sent about [p]. It is false
    for an ICMP error, for a fragment other than the first, for a packet to an IP or link group
    ([link_group]: received by link broadcast or multicast) unless [to_group], and for a source that
    is not a unicast address (RFC 1122 §3.2.2, RFC 4443 §2.4 (e)). *)

val may_report_transit : Routes.t -> Packet.t -> bool
(** [may_report_transit routes p] is {!may_report} for a packet to another host, which a router does
    not forward (RFC 1812 §4.3.2.7). *)

type error =
  | Unreachable of Icmpv4.unreachable
      (** IPv6 has other codes for it; an unknown protocol is a parameter problem there, and a
          fragmentation that is needed is Packet Too Big *)
  | Reassembly_timed_out  (** quote the first fragment *)
  | Ttl_exceeded  (** on the way: a router's *)
  | Beyond_scope  (** of the source address; IPv6 only (RFC 4443 §3.1) *)
  | Refused of Ipv6.report  (** IPv6 only *)
  | Chosen of Icmp_error.t  (** by the user, of the packet's family *)

val longest_error : int
(** [longest_error] is 556: with an IP header the packet has the 576 bytes that every host accepts
    (RFC 1812 §4.3.2.3). *)

val emit_error : error -> quote:Bytes.t -> off:int -> len:int -> Bytes.t -> at:int -> int
(** [emit_error e ~quote ~off ~len b ~at] writes the ICMP message about the packet of [len] bytes at
    [off] of [quote], quoting as much of it as {!longest_error} allows, and returns the message's
    length. [b] must have room for [longest_error] bytes from [at] and must not be [quote].
    @raise Invalid_argument if [e] is of IPv6 only. *)

val longest_error_v6 : int
(** [longest_error_v6] is 1,240: the packet has the 1,280 bytes that every link carries (RFC 4443
    §2.4 (c)). *)

val emit_error_v6 : error -> Packet.t -> src:Ip.t -> dst:Ip.t -> Bytes.t -> at:int -> int
(** [emit_error_v6 e p ~src ~dst b ~at] writes the ICMPv6 message from [src] to [dst] about [p], and
    returns its length. [b] must have room for {!longest_error_v6} bytes from [at]. *)

val about : source:Ip.t -> destination:Ip.t -> protocol:int -> string -> Packet.t
(** [about ~source ~destination ~protocol payload] is a packet made again from what is known of it,
    for an error about it.
    @raise Invalid_argument if the addresses are of two families. *)

val quoted : Bytes.t -> off:int -> len:int -> (Ipv4.t * int) option
(** [quoted b ~off ~len] decodes the packet quoted in an ICMP error's data: its header and the
    offset in [b] of its transport header, of which at least 8 bytes are present (ports, and TCP's
    sequence number). [None] if the data quote no valid packet, or a fragment other than the first.
*)

val quoted_v6 : Bytes.t -> off:int -> len:int -> (Ipv6.t * int) option
(** [quoted_v6 b ~off ~len] is the same for an ICMPv6 error. *)
