(** What a host may and must answer by ICMP (RFC 792, RFC 1122 §3.2.2), as decisions and bytes; who
    sends them, and at what rate, is the stack's affair. *)

open Weir_wire

val echo_reply : Bytes.t -> off:int -> len:int -> unit
(** [echo_reply b ~off ~len] turns the echo request of [len] bytes at [off], decoded and found
    right, into its reply (RFC 1122 §3.2.2.6). The checksum is adjusted (RFC 1624), not computed
    anew. *)

val may_answer : Routes.t -> Packet.t -> bool
(** [may_answer routes p] says that an echo request in [p] is answered: sent to this host alone, not
    to a group (§3.2.2.6 leaves that open), by an address that is one host's. The host's own, and a
    loopback one, may ask. *)

val may_report : Routes.t -> link_group:bool -> Packet.t -> bool
(** [may_report routes ~link_group p] says that an ICMP error may be sent about [p]: not about an
    ICMP error, a fragment but the first, a packet to an IP or link group ([link_group]: it came by
    link broadcast or multicast) or from an address that is not one host's (RFC 1122 §3.2.2). *)

type error =
  | Unreachable of Icmpv4.unreachable
  | Reassembly_timed_out  (** quote the first fragment *)

val longest_error : int
(** [longest_error] is 556: with an IP header it makes the 576 bytes that every host accepts (RFC
    1812 §4.3.2.3). *)

val emit_error : error -> quote:Bytes.t -> off:int -> len:int -> Bytes.t -> at:int -> int
(** [emit_error e ~quote ~off ~len b ~at] writes the ICMP message about the packet of [len] bytes at
    [off] of [quote], quoting as much of it as {!longest_error} allows, and is its length. [b] must
    have room for that from [at] on, and differ from [quote]. *)

val is_hard : Icmpv4.t -> bool
(** [is_hard error] says that asking again is no use: it ends a TCP connection that opens (RFC 9293
    §3.9.2.2). Soft are a route that may come back (codes 0, 1, 5, and 11 and 12, which are 0 and 1
    for a type of service), time exceeded and parameter problem. *)

val quoted : Bytes.t -> off:int -> len:int -> (Ipv4.t * int) option
(** [quoted b ~off ~len] is, of an ICMP error's data, the header of the packet of ours that it is
    about, and where the transport header begins in [b], of which 8 bytes are there: ports, and for
    TCP the sequence number. [None] if it quotes no such thing, or not the first fragment. *)
