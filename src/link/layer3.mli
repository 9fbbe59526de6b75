(** A link of IP packets, such as a TUN device, as one of Ethernet frames. The header is put before
    what is received and taken from what is sent. Questions for neighbours, by ARP and neighbour
    discovery, are answered here: every address is behind the device. *)

val mac : Weir_wire.Mac.t
(** The address that a host on such a link must have. *)

val wrap : Link.t -> Link.t
(** [wrap packets] is for a link whose frames are IPv4 and IPv6 packets without offloads; it owns
    that link. *)
