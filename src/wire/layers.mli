(** A packet's headers, one inside the other, as far as they can be decoded. Nothing is remembered
    from packet to packet: fragments are not put together. *)

type quote = {
  ip : Ipv4.t;
  ports : (int * int) option;  (** source and destination, of TCP and UDP if they are there *)
  seq : int;  (** of TCP if it is there, else -1 *)
}
(** The packet that an ICMP error quotes. *)

type transport =
  | Tcp of Tcp.t
  | Udp of Udp.t
  | Icmp of Icmpv4.t * (quote, Error.t) result option  (** errors have a quote *)
  | Fragment  (** one of several, not taken apart *)
  | Opaque  (** another protocol, or a header that cannot be decoded *)

type network =
  | Ipv4 of Ipv4.t * transport
  | Arp of Arp.t
  | Unread_ipv4  (** an IPv4 header that cannot be decoded *)
  | Unread_arp
  | Other  (** another ethertype, or no Ethernet header *)

type t = {
  ethernet : Ethernet.t option;  (** [None] if it is not there, or cannot be decoded *)
  network : network;
  length : int;  (** bytes behind the Ethernet header *)
  data_off : int;  (** where the data of TCP or UDP begin in the buffer *)
  data_length : int;
      (** how many of them are there: fewer than the header says if the packet is cut short; 0
          without such a header *)
  wrong : Error.t option;  (** why it was not decoded further, or a wrong checksum *)
}

val of_frame : Bytes.t -> off:int -> len:int -> t
(** [of_frame b ~off ~len] is the Ethernet frame of [len] bytes at [off]. A transport header with a
    wrong checksum is decoded all the same, as senders leave checksums to their devices; so is a TCP
    or UDP header in a packet that was cut short behind it.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val none : length:int -> t
(** [none ~length] is a packet of [length] bytes of which nothing can be decoded. *)

val of_ipv4 : Bytes.t -> off:int -> len:int -> t
(** [of_ipv4] is {!of_frame} for an IPv4 packet without a link header. *)
