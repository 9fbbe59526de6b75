(** What a router in the middle of a trunk, before a link with a smaller MTU, does with packets that
    are too long. The router has no address of its own on the network; its reports come from
    192.0.2.1 or 2001:db8::1, which are for documentation (RFC 5737, RFC 3849). *)

open Weir_link

type t = { mtu : int; silent : bool  (** too long packets vanish *) }

type outcome =
  | Passes
  | Fragments of Frame.t list  (** instead of the frame, which the caller still owns *)
  | Reported of Frame.t  (** to its sender: "fragmentation needed", or Packet Too Big *)
  | Dropped

val mark : Frame.t -> unit
(** [mark f] sets "congestion experienced" in an IP packet whose sender says that it understands it
    (RFC 3168 §5), as routers do whose queue grows; other frames stay as they are. *)

val judge : t -> Frame.t -> outcome
(** [judge t f] leaves [f] to its owner. An IPv4 packet that may be fragmented is fragmented (RFC
    791 §3.2). Other packets of more than [t.mtu] bytes are reported (RFC 1812 §4.3.2.3, RFC 4443
    §3.2), unless they are ICMP errors or later fragments. Frames of other protocols that are too
    long are dropped. *)
