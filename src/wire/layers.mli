(** The headers of one packet, as far as they can be decoded. Packets are decoded independently, so
    fragments are not reassembled. *)

type quote = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
  length : int;  (** bytes after the IP header *)
  ports : (int * int) option;
      (** source and destination port of TCP or UDP, if the quote has them *)
  seq : int;  (** TCP's sequence number if the quote has it, else -1 *)
}
(** The packet that an ICMP error quotes. *)

type network =
  | Ipv4 of Ipv4.t
  | Ipv6 of Ipv6.t
  | Arp of Arp.t
  | Unread_ipv4  (** an IPv4 header that cannot be decoded *)
  | Unread_ipv6
  | Unread_arp
  | Other  (** another ethertype, or no Ethernet header *)

type transport =
  | Tcp of Tcp.t
  | Udp of Udp.t
  | Icmp of Icmpv4.t * (quote, Error.t) result option  (** errors have a quote *)
  | Icmpv6 of Icmpv6.t * (quote, Error.t) result option
  | Nd of Nd.t  (** neighbour discovery *)
  | Membership of Membership.t
  | Fragment  (** a fragment of a packet; it is not decoded further *)
  | Opaque  (** another protocol, a header that cannot be decoded, or no IP packet *)

type application = Dhcpv4 of Dhcpv4.t

type t = {
  ethernet : Ethernet.t option;  (** [None] if it is absent or cannot be decoded *)
  network : network;
  transport : transport;
  application : (application, Error.t) result option;
      (** of a complete UDP datagram with a known port *)
  length : int;  (** bytes after the Ethernet header *)
  data_off : int;  (** where the data of TCP or UDP begin in the buffer *)
  data_length : int;
      (** their number in the buffer: less than the header says if the packet is cut short; 0
          without a TCP or UDP header *)
  wrong : Error.t option;  (** why it was not decoded further, or a wrong checksum *)
}

val of_frame : Bytes.t -> off:int -> len:int -> t
(** [of_frame b ~off ~len] is the Ethernet frame of [len] bytes at [off]. A transport header with a
    wrong checksum is decoded nevertheless, because senders with checksum offload are captured with
    wrong ones. So is a TCP or UDP header whose data were cut short.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val none : length:int -> t
(** [none ~length] is a packet of [length] bytes of which nothing can be decoded. *)

val of_ip : Bytes.t -> off:int -> len:int -> t
(** [of_ip] is {!of_frame} for an IPv4 or IPv6 packet without a link header. *)

val addresses : t -> (Ip.t * Ip.t) option
(** [addresses t] is the source and the destination of an IP packet. *)

val protocol : t -> int
(** [protocol t] is the protocol number of an IP packet's payload, else -1. *)
