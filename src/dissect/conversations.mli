(** The TCP connections that packets belong to, each with a number and with the sequence numbers
    that its two sides began at. A bounded number of them is remembered; those not seen for longest
    are forgotten first.

    Streams are numbered from 0 in the order of their first packets, as Wireshark numbers them: a
    SYN with another sequence number than the last one between the same endpoints begins another
    stream. A stream that was forgotten has another number when it is seen again. *)

type t

val create : ?most:int -> unit -> t
(** [create ()] remembers [most] connections, by default 65,536, of about 200 bytes each.
    @raise Invalid_argument if [most] is below 2. *)

type endpoint = { ip : Weir_wire.Ip.t; port : int }

type stream = private {
  number : int;
  client : endpoint;
      (** who sent the SYN; if none was seen, who did not send the SYN with ACK; else who sent the
          first packet *)
  server : endpoint;
  mutable client_base : int;
      (** the sequence number that is 0 relative to the others, -1 if not known *)
  mutable server_base : int;
}

type seen = { stream : stream; from_client : bool }

val see : t -> Weir_wire.Layers.t -> seen option
(** [see t layers] is the stream that the packet belongs to, [None] if no TCP header was decoded.
    The packet is remembered: the same packet seen again changes nothing. *)

val relative : t -> Weir_wire.Layers.t -> Weir_wire.Layers.t
(** [relative t layers] is [layers] with the numbers of its TCP header ([seq], [ack], edges of
    [sacks]) relative to its stream's, having {!see}n it; so is the one in an ICMP error's quote if
    the stream is remembered. A SYN is 0; where none was seen, the first number seen is 1. Numbers
    are kept to 32 bits: a stream of more than 4 GiB begins anew. *)

val streams : t -> int
(** [streams t] is how many were numbered so far. *)
