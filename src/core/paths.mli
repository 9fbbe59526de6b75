(** What the host knows of the paths to other hosts: the longest packet that gets through, if it is
    shorter than the link allows (RFC 1191, RFC 8201); and hashes of sent packets, by which the host
    recognises valid reports of packets that were too long (RFC 5927).

    An entry is made only by a report that quotes a packet of this host, or by {!Tcp_path}. It
    expires after ten minutes (RFC 1191 §6.3, RFC 8201 §5.3). The table is bounded; if it is full,
    the entry that expires first makes room. Its hash has a secret. *)

open Weir_base
open Weir_wire

type t

val create : secret:int -> t
(** [create ~secret] knows no path. *)

val most : int
(** The most entries. *)

val lifetime : int
(** How long an entry is valid: ten minutes, in nanoseconds. *)

val least_v4 : int
(** 576. Every IPv4 host can receive a datagram of this length (RFC 1122 §3.3.2), and 536 bytes are
    what TCP sends to a peer that names no MSS. Linux stops at 552. A path that is even narrower
    gets packets of this length that routers may fragment: see {!may_cut}. So a forged report can
    make segments short, but not useless. *)

val least_v6 : int
(** 1280, the least MTU of a link with IPv6 (RFC 8200 §5). *)

val least : Ip.t -> int
(** [least a] is {!least_v4} or {!least_v6}. *)

val mtu : t -> Ip.t -> int
(** [mtu t dst] is the longest IP packet for the path to [dst], [max_int] if nothing is known. It
    does not allocate. *)

val may_cut : t -> Ip.t -> bool
(** [may_cut t dst] is true if the IPv4 path is narrower than {!least_v4}: packets must not have
    "don't fragment" set. *)

val is_silent : t -> Ip.t -> bool
(** [is_silent t dst] is true if {!Tcp_path} found the path's MTU without ICMP. *)

val some_may_cut : t -> bool
(** [some_may_cut t] is true if {!may_cut} is true for any address. *)

val length : t -> int

val reported : t -> now:Time.t -> Ip.t -> mtu:int -> length:int -> bool
(** [reported t ~now dst ~mtu ~length] is called for a report, already found valid, that a packet of
    [length] bytes was too long for a link of [mtu] bytes; [mtu] is 0 if the router does not say,
    then it is estimated (RFC 1191 §7.1). The result is true if the path is narrower than was known.
    A report never raises the MTU. A report about an IPv6 packet of at most 1280 bytes or a smaller
    MTU changes nothing (RFC 8201 §4, RFC 8200 §5). *)

val silent : t -> now:Time.t -> Ip.t -> mtu:int -> bool
(** [silent t ~now dst ~mtu] sets the MTU of a path on which longer packets are lost without a
    report. The result is true if it was lowered. *)

val proved : t -> now:Time.t -> Ip.t -> mtu:int -> limit:int -> bool
(** [proved t ~now dst ~mtu ~limit] notes that a probe of [mtu] bytes arrived. The path is forgotten
    if that is [limit], which the link allows. The result is true if the MTU was raised. *)

val deadline : t -> Time.t
(** [deadline t] is when {!tick} must be called. *)

val tick : t -> now:Time.t -> bool
(** [tick t ~now] removes the expired entries, and is true if there were any. *)

(** {1 Datagrams}

    TCP recognises the quoted sequence number. For other packets that a router may refuse, the host
    remembers a hash of each one's destination and the first eight bytes behind the IP header: for
    UDP the ports, the length and the checksum. A report counts if it quotes one of the last
    {!most_remembered}. *)

val most_remembered : int

val remember : t -> dst:Ip.t -> Bytes.t -> off:int -> unit
(** [remember t ~dst b ~off] notes that a packet whose payload begins at [off] was sent to [dst]. *)

val was_sent : t -> dst:Ip.t -> Bytes.t -> off:int -> bool
(** [was_sent t ~dst b ~off] is true if such a packet was sent lately. It is true once for each. *)
