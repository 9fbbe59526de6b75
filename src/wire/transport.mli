(** Transport checksums that a device was to complete, completed without one. *)

val complete : Bytes.t -> off:int -> len:int -> bool
(** [complete b ~off ~len] sums the TCP segment or UDP datagram in the Ethernet frame at [off],
    whose checksum field holds the pseudo-header's sum, not complemented, and puts the checksum
    there (RFC 1071). [false], and nothing is changed, if the frame has no such packet: another
    protocol, a fragment, IPv6 extension headers, cut short. *)
