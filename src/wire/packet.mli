(** The positions of an IP packet's parts in a buffer, for both families. {!Ipv4.read} and
    {!Ipv6.read} fill the same record for each packet, so that reading does not allocate. *)

type t = {
  mutable data : Bytes.t;  (** the buffer, borrowed *)
  mutable at : int;  (** offset of the IP header; all offsets are from the start of [data] *)
  mutable address_length : int;  (** {!Ip.v4_length} or {!Ip.v6_length} *)
  mutable source_at : int;  (** offset of the source address; the destination address follows it *)
  mutable source_key : int;  (** {!Ip.key} of the source address *)
  mutable destination_key : int;
  mutable protocol : int;  (** of the payload *)
  mutable protocol_at : int;
      (** offset of the next-header byte with that value; set for IPv6 only *)
  mutable ttl : int;  (** or hop limit *)
  mutable fragment_offset : int;  (** in bytes *)
  mutable more_fragments : bool;
  mutable identification_at : int;
      (** offset of a fragment header's identification, -1 without one; set for IPv6 only *)
  mutable payload_at : int;
  mutable payload_length : int;
  mutable segment_size : int;
      (** data bytes in each segment, if the packet holds several TCP segments (GSO, GRO); else 0 *)
}

val create : unit -> t
(** [create ()] is an empty record for {!Ipv4.read} or {!Ipv6.read} to fill. *)

val between : source:Ip.t -> destination:Ip.t -> t
(** [between ~source ~destination] is a packet with only these addresses, which must be of the same
    family. *)

val is_fragment : t -> bool

val source : t -> Ip.t
(** [source t] allocates a copy, as does [destination t]. *)

val destination : t -> Ip.t

val is_from : t -> Ip.t -> bool
(** [is_from t a] compares without copying, as does [is_to]. *)

val is_to : t -> Ip.t -> bool

val is_between : t -> remote:Ip.t -> remote_key:int -> local:Ip.t -> local_key:int -> bool
(** [is_between t ~remote ~remote_key ~local ~local_key] is true if [t] is from [remote] to [local].
    The keys are {!Ip.key} of these addresses. *)

val destination_at : t -> int

val hash_source : int -> t -> port:int -> int
(** [hash_source h t ~port] is {!Ip.hash} of the source address. *)

val hash_destination : int -> t -> port:int -> int

val ecn : t -> int
(** [ecn t] is the ECN codepoint (RFC 3168 §5), the two low bits of IPv4's type of service or of
    IPv6's traffic class; 0 if the transport does not support ECN. [t] must have been read from a
    buffer. *)

val ect_0 : int
(** The transport supports ECN. *)

val ce : int
(** Congestion experienced: a router marked the packet. *)

val pseudo_sum : t -> int
(** [pseudo_sum t] is {!Ip.pseudo_sum} of [t]'s addresses, protocol and payload. *)
