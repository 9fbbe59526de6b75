(** A host's attachment to one link: its MAC and MTU, its addresses, its neighbours.

    {!Routes} decides which interface a packet leaves by. *)

open Weir_base
open Weir_wire

(** RFC 4862 §2. *)
type state =
  | Tentative  (** not to be used yet: it is being looked for on the link *)
  | Preferred
  | Deprecated  (** serves what there is; new connections prefer another *)

type address = private {
  ip : Ip.t;
  prefix_length : int;  (** the network on the link *)
  mutable state : state;
  mutable preferred_until : Time.t;  (** then it is deprecated *)
  mutable valid_until : Time.t;  (** then it is removed *)
}

type t = private {
  number : int;  (** in its host *)
  mac : Mac.t;
  mtu : int;  (** 576 to 65,535 bytes *)
  mutable offload : Offload.t;  (** changed by {!Routes.set_offload} *)
  mutable addresses : address array;
  mutable deadline : Time.t;
  neighbours : Outgoing.t Neighbours.t;
}

val create : Random.State.t -> number:int -> mac:Mac.t -> mtu:int -> t
(** [create random ~number ~mac ~mtu] has no address.
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
(** [add t ip ~prefix_length] gives [t] that address, or changes its state ([Preferred]) and
    lifetimes (for ever) if [t] has it. {!Routes} is to be told.
    @raise Invalid_argument if [t] has it with another prefix. *)

val set_offload : t -> Offload.t -> unit
(** As {!Routes.set_offload}, which is to be called instead. *)

val remove : t -> Ip.t -> unit

val expired : t -> now:Time.t -> Ip.t list
(** [expired t ~now] are the addresses that are to be removed; those past [preferred_until] become
    deprecated. *)

val deadline : t -> Time.t
(** [deadline t] is when {!expired} must be called. *)

val broadcasts : address -> Ip.t list
(** [broadcasts a] are the highest and the lowest address of its network (RFC 1122 §3.3.6), none of
    a network of 31 or 32 bits (RFC 3021), and IPv6 has none. *)

(** {1 Look-ups}

    They allocate nothing. *)

val has : t -> Ip.t -> bool
(** [has t ip]: it is an address of [t], and not tentative. *)

val is_on_link : t -> Ip.t -> bool
(** [is_on_link t ip]: it is in the network of one of [t]'s addresses. *)

val source_for : t -> Ip.t -> Ip.t
(** [source_for t next_hop] is the address from which packets to [next_hop] are sent: one of its
    network if possible, and preferred; {!Ip.any} if [t] has none. *)
