(** IPv4 headers (RFC 791). Options are carried as bytes and not interpreted. *)

(** {v
     0      7 8     15 16    23 24    31
    +----+---+--------+--------+--------+
    |ver |ihl|dscp,ecn|  total length   |
    +----+---+--------+--------+--------+
    | identification  |-DM fragm. offset|
    +--------+--------+--------+--------+
    |  ttl   |protocol| header checksum |
    +--------+--------+--------+--------+
    |          source address           |
    +--------+--------+--------+--------+
    |        destination address        |
    +--------+--------+--------+--------+
    |    options (0 to 40 bytes) ...    |
    v} *)

type t = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;  (** 8 bits *)
  ttl : int;  (** 8 bits; 0 is decoded too *)
  dscp_ecn : int;  (** 8 bits: the former type of service (RFC 2474, RFC 3168) *)
  identification : int;  (** 16 bits *)
  dont_fragment : bool;
  more_fragments : bool;
  fragment_offset : int;  (** in bytes, a multiple of 8 *)
  header_length : int;  (** set by decoding; {!length} and {!emit} use [options] instead *)
  data_length : int;  (** bytes that follow the header *)
  options : string;  (** a multiple of 4, at most 40 bytes; [""] if there are none *)
}

val protocol_icmp : int

val protocol_igmp : int
(** 1 *)

val protocol_tcp : int
(** 6 *)

val protocol_udp : int
(** 17 *)

val base : t
(** [base] is an unfragmented header without options or data, TTL 64, from {!Ip.any} to {!Ip.any},
    to be used as [{ base with ... }]. *)

val is_fragment : t -> bool
(** [is_fragment t] is true if the packet holds only part of a datagram. *)

val shortest : int
(** The length of a header without options, 20 bytes. *)

val read : Packet.t -> Bytes.t -> off:int -> len:int -> (unit, Error.t) result
(** [read p b ~off ~len] fills [p] from the header at [off] in a link payload of [len] bytes and
    verifies the header checksum. Bytes after the packet's total length are padding and ignored.
    These are malformed too: the reserved flag; a fragment that is empty, that ends beyond byte
    65,535 of its datagram, or that is not the last and whose length is not a multiple of 8.
    [segment_size] is set to 0. After an error [p] is unchanged.
    @raise Invalid_argument if [off], [len] are not within [b]. *)

val header : Packet.t -> t
(** [header p] is the header of the packet that {!read} found. *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is {!read}, then {!header}; the data begin at [off + header_length]. *)

val read_quoted : Packet.t -> Bytes.t -> off:int -> len:int -> (unit, Error.t) result
(** [read_quoted p b ~off ~len] is {!read} for the packet quoted in an ICMP error (RFC 792). Only
    the header must be complete; [payload_length] is the length in the original packet. The checksum
    is not verified, because routers change the header on the way. *)

val decode_quoted : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode_quoted b ~off ~len] is {!read_quoted}, then {!header}. *)

val length : t -> int
(** [length t] is the header's length, 20 to 60 bytes. *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the header at [off], checksum included. Needs [length t] bytes.
    [length t + t.data_length] is at most 65,535. *)

val write :
  t ->
  Bytes.t ->
  off:int ->
  src:Ip.t ->
  dst:Ip.t ->
  protocol:int ->
  data_length:int ->
  identification:int ->
  unit
(** [write like b ~off …] is {!emit} of [like] with the given fields replaced, without allocating a
    record. *)

val is_congested : Packet.t -> bool
(** [is_congested p] is true if [p], from {!read}, has the CE codepoint (RFC 3168 §5). *)

val unfragmented : Bytes.t -> data_length:int -> congested:bool -> Bytes.t option
(** [unfragmented headers ~data_length ~congested] is the header of a reassembled datagram with
    [data_length] bytes of data. [headers] is the header of its first fragment. The result has the
    CE codepoint if [congested]. [None] if the datagram would be longer than 65,535 bytes. *)

val pp : Format.formatter -> t -> unit
