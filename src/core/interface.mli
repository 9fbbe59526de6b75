(** A host's interface to one link: MAC, MTU, addresses and neighbours. {!Routes} chooses the
    interface for a packet. *)

open Weir_base
open Weir_wire

(** RFC 4862 §2. *)
type state =
  | Tentative  (** not usable yet: duplicate address detection is running *)
  | Preferred
  | Deprecated  (** usable by existing connections; new ones prefer another *)

type address = private {
  ip : Ip.t;
  prefix_length : int;  (** of the network on the link *)
  mutable state : state;
  mutable preferred_until : Time.t;  (** from then on it is deprecated *)
  mutable valid_until : Time.t;  (** from then on it is removed *)
}

type t = private {
  number : int;  (** within the host *)
  mac : Mac.t;
  link_mtu : int;  (** 576 to 65,535 bytes *)
  mutable mtu : int;  (** [link_mtu], or less: {!Routes.set_mtu} *)
  mutable offload : Offload.by_family;  (** changed by {!Routes.set_offload} *)
  mutable addresses : address array;
  mutable deadline : Time.t;
  neighbours : Outgoing.t Neighbours.t;
}

val create : Random.State.t -> number:int -> mac:Mac.t -> mtu:int -> t
(** [create random ~number ~mac ~mtu] has no addresses.
    @raise Invalid_argument if [mtu] is out of range. *)

(** {1 Addresses} *)

val add :
  t ->
  ?state:state ->
  ?preferred_until:Time.t ->
  ?valid_until:Time.t ->
  Ip.t ->
  prefix_length:int ->
  address
(** [add t ip ~prefix_length] adds the address, or changes its state and lifetimes if [t] has it
    already. The defaults are [Preferred] and no end. Use {!Routes.add_address}, which also updates
    the routes.
    @raise Invalid_argument
      if [t] has the address with another prefix, or an IPv6 address is added and not {!takes_v6}.
*)

val takes_v6 : t -> bool
(** [takes_v6 t] is true if the MTU is at least the 1,280 bytes of every IPv6 link (RFC 8200 §5). *)

val set_offload : t -> Offload.by_family -> unit
(** For {!Routes.set_offload} only: call that instead. *)

val set_mtu : t -> int -> unit
(** For {!Routes.set_mtu} only: call that instead. *)

val remove : t -> Ip.t -> unit

val expired : t -> now:Time.t -> Ip.t list
(** [expired t ~now] is the addresses past [valid_until], which the caller removes. Addresses past
    [preferred_until] become deprecated. *)

val deadline : t -> Time.t
(** [deadline t] is when {!expired} must be called. *)

val broadcasts : address -> Ip.t list
(** [broadcasts a] is the highest and the lowest address of its network (RFC 1122 §3.3.6). It is
    empty for a prefix of 31 or 32 bits (RFC 3021) and for IPv6. *)

(** {1 Look-ups}

    They allocate nothing. *)

val has : t -> Ip.t -> bool
(** [has t ip] is true if [ip] is an address of [t] and not tentative. *)

val is_on_link : t -> Ip.t -> bool
(** [is_on_link t ip] is true if [ip] is in the network of one of [t]'s addresses. *)

val source_for : t -> Ip.t -> Ip.t
(** [source_for t a] is the source address for packets of the family of [a]: that with the highest
    {!Source_address.rank}; {!Ip.any_like}[ a] if [t] has none. For IPv4 [a] is the next hop, for
    IPv6 the destination. *)
