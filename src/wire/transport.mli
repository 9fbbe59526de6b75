(** Completes transport checksums in software, for devices that cannot. *)

val complete : Bytes.t -> off:int -> len:int -> bool
(** [complete b ~off ~len] computes the checksum of the TCP segment or UDP datagram in the Ethernet
    frame at [off] and writes it to the checksum field (RFC 1071). Before the call, the field must
    hold the sum of the pseudo-header, not complemented. The result is [false], and nothing changes,
    for any other frame: another protocol, a fragment, IPv6 extension headers, a truncated packet.
*)
