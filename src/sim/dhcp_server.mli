(** A small DHCP server (RFC 2131 §4.3), an ordinary Eio program for any network: for hosts of
    worlds, and for tests.

    A client keeps its address as long as that is in the pool, also when its lease is over. The
    state outlives {!serve}, as if it were on a disk. Not supported: relays, Inform, probing of
    addresses. *)

open Weir_wire

type t = {
  address : Ipaddr.V4.t;  (** the server's *)
  prefix_length : int;  (** of the network *)
  seconds : int;  (** of a lease *)
  mutable pool : Ipaddr.V4.t list;
      (** the addresses that it gives away; who has another is refused when it asks again *)
  mutable options : (int * string) list;
      (** what else it says: codes and values of {!Weir_wire.Dhcpv4_options} *)
  given : (Mac.t, Ipaddr.V4.t) Hashtbl.t;
  mutable declined : Ipaddr.V4.t list;  (** somebody else has them; they are not given away *)
  mutable heard : string list;  (** kinds of messages, the last first: ["discover"]… *)
}

val create :
  ?prefix_length:int ->
  ?seconds:int ->
  ?options:(int * string) list ->
  address:Ipaddr.V4.t ->
  Ipaddr.V4.t list ->
  t
(** [create ~address pool] is the server at [address] of a network of 24 bits, with leases of
    [seconds] (600). *)

val count : t -> string -> int
(** [count t kind] is how often it heard that. *)

val answer : t -> Dhcpv4.t -> Dhcpv4.t option
(** [answer t m] is what it says to [m]. *)

val serve : t -> net:_ Eio.Net.t -> 'a
(** [serve t ~net] answers at port 67 until it is cancelled. *)
