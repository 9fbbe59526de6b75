(** An IP packet in flight: where its parts stand in a buffer, for both families. One record is
    filled for packet after packet ({!Ipv4.read}), so that reading one allocates nothing. *)

type t = {
  mutable data : Bytes.t;  (** the buffer, borrowed *)
  mutable at : int;  (** of the IP header; all offsets are from the start of [data] *)
  mutable address_length : int;  (** {!Ip.v4_length} or {!Ip.v6_length} *)
  mutable source_at : int;  (** of the source address; the destination's follows it *)
  mutable source_key : int;  (** {!Ip.key} of the source address *)
  mutable destination_key : int;
  mutable protocol : int;  (** of the payload *)
  mutable ttl : int;  (** or hop limit *)
  mutable fragment_offset : int;  (** in bytes *)
  mutable more_fragments : bool;
  mutable payload_at : int;
  mutable payload_length : int;
  mutable segment_size : int;
      (** of a TCP packet that stands for many segments: the data in each; else 0 *)
}

val create : unit -> t
(** [create ()] is to be filled. *)

val between : source:Ip.t -> destination:Ip.t -> t
(** [between ~source ~destination] has those addresses, of one family, and nothing else. *)

val is_fragment : t -> bool

val source : t -> Ip.t
(** [source t] is a copy, as is [destination t]. *)

val destination : t -> Ip.t

val is_from : t -> Ip.t -> bool
(** [is_from t a] compares in place, as [is_to] does. *)

val is_to : t -> Ip.t -> bool

val is_between : t -> remote:Ip.t -> remote_key:int -> local:Ip.t -> local_key:int -> bool
(** [is_between t ~remote ~remote_key ~local ~local_key]: it is from [remote] and to [local], which
    have those keys. *)

val destination_at : t -> int

val hash_source : int -> t -> port:int -> int
(** [hash_source h t ~port] is {!Ip.hash} of the source address. *)

val hash_destination : int -> t -> port:int -> int

val pseudo_sum : t -> int
(** [pseudo_sum t] is {!Ip.pseudo_sum} of [t]'s addresses, protocol and payload. *)
