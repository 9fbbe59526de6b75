(** The TCP connections of captured packets, each with a number and both initial sequence numbers. A
    bounded number is kept: connections without recent packets are forgotten first.

    Streams are numbered from 0 in the order of their first packets, as in Wireshark. A SYN between
    known endpoints begins a new stream if its sequence number differs from that of the last SYN. A
    stream that was forgotten gets a new number when it is seen again. *)

type t

val create : ?most:int -> unit -> t
(** [create ()] remembers [most] connections, by default 65,536, of about 200 bytes each.
    @raise Invalid_argument if [most] is below 2. *)

type endpoint = { ip : Weir_wire.Ip.t; port : int }

type stream = private {
  number : int;
  client : endpoint;
      (** the sender of the SYN; without one, the receiver of the SYN with ACK; otherwise the sender
          of the first packet *)
  server : endpoint;
  mutable client_base : int;  (** the sequence number shown as 0, -1 if unknown *)
  mutable server_base : int;
}

type seen = { stream : stream; from_client : bool }

val see : t -> Weir_wire.Layers.t -> seen option
(** [see t layers] is the stream that the packet belongs to, [None] if no TCP header was decoded. It
    updates [t]; a second call with the same packet changes nothing. *)

val relative : t -> Weir_wire.Layers.t -> Weir_wire.Layers.t
(** [relative t layers] calls {!see} and is [layers] with relative numbers in its TCP header ([seq],
    [ack], edges of [sacks]). In an ICMP error, the quoted sequence number is relative too if [t]
    knows the stream. A SYN is 0; without a SYN, the first number seen is 1. Numbers have 32 bits:
    they wrap around after 4 GiB. *)

val streams : t -> int
(** [streams t] is the number of streams seen so far. *)
