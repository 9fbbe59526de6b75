(** Cutting IPv4 packets to fit a link (RFC 791 §3.2), and their identification (RFC 6864). *)

open Weir_wire

val fits : mtu:int -> Ipv4.t -> bool
(** [fits ~mtu h] says that the packet of [h] is at most [mtu] bytes long. *)

val iter : mtu:int -> Ipv4.t -> (Ipv4.t -> at:int -> unit) -> unit
(** [iter ~mtu h f] calls [f part ~at] for each packet of at most [mtu] bytes that carries a part of
    the one with header [h], in order: its header [part], and where its [part.data_length] bytes
    begin in the data of [h]. That is [f h ~at:0] alone if it {!fits}. Later fragments have those
    options only that ask to be copied. [h] may be a fragment. Whoever wants [h.dont_fragment]
    heeded asks {!fits} first; it is kept as it is.
    @raise Invalid_argument if [mtu] is below 68 (RFC 791's least). *)

(** {1 Identification}

    What tells the fragments of one datagram from those of another, between the same two hosts. *)

type ids

val ids : Random.State.t -> ids
(** [ids random] counts from numbers of its own, apart for different destinations, so that one peer
    cannot predict what another will get (RFC 7739 §5.3). *)

val next_id : ids -> dst:Ip.t -> protocol:int -> int
(** [next_id ids ~dst ~protocol] is 16 bits, again only after 65,536 calls that share [dst] and
    [protocol]'s counter. *)
