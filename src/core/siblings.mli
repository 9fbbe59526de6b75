(** Hosts that share one address: one for each queue of a device, each in a domain of its own, with
    its own connections, sockets and caches. All have the same MAC and IP address, and one
    interface. They share nothing, but a host hands a packet that is not for it to another one.

    The device chooses a packet's queue by a hash of its flow. The rules:
    - A connection belongs to the host where its SYN arrived. A host that opens one takes a local
      port of its own: ephemeral ports are dealt out by {!Ports.owner}. So the same two ends never
      meet in two hosts.
    - A TCP segment that a host has no connection or listener for, and a UDP datagram that it has no
      socket for, is handed on before it is refused: first to the owner of its port if that is
      ephemeral, then from host to host. The last host refuses it. A server's sockets are bound in
      every host, and a datagram is for the host where it arrived.
    - Fragments are reassembled where they arrive, and all of a datagram hash alike, since they have
      no ports. The whole datagram is handed on like any other.
    - ICMP: an echo request is answered where it arrives. Everything else may be about another
      host's packet, and every host gets it. So does a broadcast datagram.
    - ARP: a request is answered where it arrives, a reply is for every host. Each host sends its
      own requests.

    Limits (rates of ICMP and RST, memory, tables) hold for each host. Packets that are handed on
    wait in a bounded queue; if it is full they are dropped, as by a router. *)

type packet = {
  bytes : Bytes.t;  (** an IP packet, or an ARP packet *)
  arp : bool;
  verified : bool;  (** the transport checksum *)
  segment_size : int;  (** as of {!Weir_base.Frame.t} *)
  link_group : bool;  (** it came in a broadcast frame *)
  hops : int;  (** how often it was handed on; with {!no_more} it must not be handed on again *)
}

type t = {
  index : int;  (** the number of this host, from 0 *)
  count : int;  (** the number of hosts *)
  hand : int -> packet -> unit;
      (** [hand i p] puts [p] into the queue of host [i], or drops it. The host owns [p]. *)
}

val no_more : int

val to_ : t -> port:int -> packet -> unit
(** [to_ t ~port p] hands [p], whose destination port is [port], to the next host that may know it.
*)

val to_all : t -> packet -> unit
(** [to_all t p] hands [p] to all others, for the last time. *)
