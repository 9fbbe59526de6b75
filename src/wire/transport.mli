(** Completes transport checksums in software, for devices that cannot. *)

val complete : Bytes.t -> off:int -> len:int -> bool
(** [complete b ~off ~len] computes the checksum of the TCP segment or UDP datagram in the Ethernet
    frame at [off] and writes it to the checksum field (RFC 1071). Before, the field must hold the
    sum of the pseudo-header, not complemented. The result is [false], and nothing changes, for any
    other frame: another protocol, a fragment, IPv6 extension headers, a truncated packet. *)

val is_partial : Bytes.t -> off:int -> len:int -> bool
(** [is_partial b ~off ~len] is whether the checksum field of the TCP segment or UDP datagram in the
    Ethernet frame at [off] holds the sum of the pseudo-header, so that it is to be {!complete}d.
    One in 65,536 complete checksums is the same number. [false] for frames that {!complete} does
    not know. *)
