(** Cutting packets to fit a link (RFC 791 §3.2, RFC 8200 §4.5), and their identification (RFC
    6864). *)

open Weir_wire

val fits : mtu:int -> Ipv4.t -> bool
(** [fits ~mtu h] is true if the packet of [h] is at most [mtu] bytes long. *)

val iter : mtu:int -> Ipv4.t -> (Ipv4.t -> at:int -> unit) -> unit
(** [iter ~mtu h f] splits the packet with header [h] into fragments of at most [mtu] bytes and
    calls [f part ~at] for each, in order. [part] is the fragment's header; its [part.data_length]
    bytes begin at [at] in the data of [h]. If the packet {!fits}, the only call is [f h ~at:0].
    Only the first fragment keeps options without the copied flag. [h] may itself be a fragment.
    [h.dont_fragment] is copied but not obeyed: call {!fits} first.
    @raise Invalid_argument if [mtu] is below 68, the minimum of RFC 791. *)

val iter_v6 : mtu:int -> Ipv6.t -> identification:int -> (Ipv6.t -> at:int -> unit) -> unit
(** [iter_v6 ~mtu h ~identification f] is the same for the IPv6 packet with header [h], which has no
    extension headers; each part has a fragment header, also if there is only one.
    @raise Invalid_argument if [mtu] is below 1,280. *)

(** {1 Identification}

    The identification distinguishes the fragments of different datagrams between the same two
    hosts. *)

type ids

val ids : Random.State.t -> ids
(** [ids random] has separate counters for different destinations, with random start values, so that
    one peer cannot predict the numbers that another gets (RFC 7739 §5.3). *)

val next_id : ids -> dst:Ip.t -> protocol:int -> int
(** [next_id ids ~dst ~protocol] is a 16-bit number. It repeats only after 65,536 calls that use the
    same counter. *)

val next_id_v6 : ids -> dst:Ip.t -> int
(** [next_id_v6 ids ~dst] is a number of 32 bits. *)
