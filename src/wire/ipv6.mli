(** IPv6 headers with their extension headers (RFC 8200). Hop-by-hop options, destination options,
    routing headers and fragment headers are read; IPsec headers count as an unknown protocol.
    Jumbograms are not supported. *)

(** {v
     0      7 8     15 16    23 24    31
    +----+--------+----+-----------------+
    |ver | class  |    flow label        |
    +----+---+----+----+--------+--------+
    |  payload length  |next hdr|hop lim.|
    +------------------+--------+--------+
    |     source address (16 bytes)      |
    |   destination address (16 bytes)   |
    +------------------------------------+
    |      extension headers ...         |
    v} *)

type fragment = {
  identification : int;  (** 32 bits *)
  offset : int;  (** in bytes, a multiple of 8 *)
  more : bool;
}

type t = {
  src : Ip.t;
  dst : Ip.t;
  protocol : int;
      (** 8 bits: the protocol of the payload after all extension headers; in a fragment, the next
          header of the fragment header *)
  hop_limit : int;  (** 8 bits *)
  traffic_class : int;  (** 8 bits: DSCP and ECN *)
  flow_label : int;  (** 20 bits *)
  fragment : fragment option;  (** what its fragment header says, if it has one *)
  header_length : int;
      (** bytes up to the payload, extension headers included; set by decoding, {!length} and
          {!emit} do not use it *)
  data_length : int;  (** bytes of the payload *)
}

val hop_by_hop : int
(** 0: the header with options for every router *)

val protocol_icmp : int
(** 58 *)

val protocol_none : int
(** 59: there is no payload *)

val base : t
(** [base] is a header without fragment or data, hop limit 64, from [::] to [::], to be used as
    [{ base with ... }]. *)

val shortest : int
(** The length of a header without extension headers, 40 bytes. *)

val fragment_length : int
(** The length of a fragment header, 8 bytes. *)

val minimum_mtu : int
(** Every link carries packets of 1,280 bytes (RFC 8200 §5). *)

(** {1 Reading} *)

type report = {
  code : int;  (** of an ICMPv6 parameter problem (RFC 4443 §3.4, RFC 7112 §5) *)
  pointer : int;  (** bytes from the start of the IPv6 header *)
  to_group : bool;  (** sent even if the packet's destination was a group *)
}

type failure = { error : Error.t; report : report option }
(** Why a packet is dropped, and the ICMPv6 error for its sender, if any. *)

val read : Packet.t -> Bytes.t -> off:int -> len:int -> (unit, failure) result
(** [read p b ~off ~len] fills [p] from the packet at [off] in a link payload of [len] bytes, whose
    bytes after the packet's end are padding. [p.payload_at] is the offset after the extension
    headers; in a fragment, after the fragment header. The fragment header of an atomic fragment
    (RFC 6946) is skipped. [p.identification_at] is the offset of the identification, or -1.

    These are refused: unknown options whose type says so, routing headers with segments left (RFC
    5095), a hop-by-hop header that is not the first, more than {!most_headers} headers, more than
    {!most_options} options in a header, more than 7 bytes of padding between options (RFC 8504
    §5.3), a first fragment without all headers (RFC 7112), and a fragment that is empty, ends
    beyond byte 65,535, or is not the last and not a multiple of 8 bytes long. After a failure [p]
    is unchanged. *)

val most_headers : int
(** 8 *)

val most_options : int
(** 8 *)

val header : Packet.t -> t
(** [header p] is the header of the packet that {!read} found. *)

val identification : Bytes.t -> int -> int
(** [identification b at] is the 32 bits at [p.identification_at]. *)

val is_congested : Packet.t -> bool
(** [is_congested p] is true if [p] has the CE codepoint (RFC 3168 §5). *)

val read_fixed : Packet.t -> Bytes.t -> off:int -> len:int -> bool
(** [read_fixed p b ~off ~len] fills [p] from the fixed header alone and takes all that follows as
    payload. It serves to report a packet that {!read} refuses. It is false if the header is not
    IPv6's. *)

val read_quoted : Packet.t -> Bytes.t -> off:int -> len:int -> (unit, Error.t) result
(** [read_quoted p b ~off ~len] is {!read} for the packet quoted in an ICMPv6 error: the headers
    must be complete, the payload need not be; [p.payload_length] is that of the original packet. *)

val decode : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode b ~off ~len] is {!read}, then {!header}; the payload begins at [off + header_length]. *)

val decode_quoted : Bytes.t -> off:int -> len:int -> (t, Error.t) result
(** [decode_quoted b ~off ~len] is {!read_quoted}, then {!header}. *)

val unfragmented : Bytes.t -> data_length:int -> congested:bool -> Bytes.t option
(** [unfragmented headers ~data_length ~congested] is the headers of a reassembled packet with
    [data_length] bytes of payload (RFC 8200 §4.5). [headers] are those of its first fragment, the
    fragment header last. The result has the CE codepoint if [congested]. [None] if the packet would
    be too long. *)

(** {1 Writing} *)

val length : t -> int
(** [length t] is 40, or 48 for a fragment. *)

val emit : t -> Bytes.t -> off:int -> unit
(** [emit t b ~off] writes the header, and the fragment header if there is one. Needs [length t]
    bytes; [length t - 40 + t.data_length] is at most 65,535. *)

val write :
  Bytes.t ->
  off:int ->
  src:Ip.t ->
  dst:Ip.t ->
  protocol:int ->
  hop_limit:int ->
  data_length:int ->
  unit
(** [write b ~off …] is {!emit} of a header with class and label 0, without making a record. *)

val set_ecn : Bytes.t -> off:int -> int -> unit
(** [set_ecn b ~off ecn] writes the ECN codepoint (RFC 3168 §5) of the header at [off]. *)

val set_hop_limit : Bytes.t -> off:int -> int -> unit
(** [set_hop_limit b ~off n] writes the hop limit of the header at [off]. *)

val emit_router_alert : Bytes.t -> off:int -> protocol:int -> unit
(** [emit_router_alert b ~off ~protocol] writes a hop-by-hop header of 8 bytes with the router alert
    option for MLD (RFC 2711). It belongs between a fixed header with protocol 0 and the message,
    whose protocol is [protocol]. *)

val pp : Format.formatter -> t -> unit
