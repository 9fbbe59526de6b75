(** What a DHCP server gave to an interface (RFC 2131, RFC 2132, RFC 3397, RFC 3442), checked. *)

open Weir_base

type t = {
  address : Ipaddr.V4.Prefix.t;  (** the address, and the network on the link *)
  server : Ipaddr.V4.t;
  routes : (Ipaddr.V4.Prefix.t * Ipaddr.V4.t option) list;
      (** to networks by a gateway, or on the link; at most 64 *)
  resolvers : Ipaddr.V4.t list;  (** DNS servers, the best first; at most 16 *)
  domain : string option;  (** the domain of the host *)
  search : string list;  (** domains in which to look for short names; at most 64 *)
  mtu : int option;  (** at least 576 *)
  renew_at : Time.t;  (** T1: the server is asked to extend the lease *)
  rebind_at : Time.t;  (** T2: any server is asked *)
  until : Time.t;  (** {!Time.never} if it does not end *)
}

val shortest : Time.t
(** 10 s: a shorter lease is refused, as it would cost more messages than it is worth. *)

val longest : Time.t
(** A year: a longer lease, unless it is for ever, is taken for one of this time. *)

val of_message : Weir_wire.Dhcpv4.t -> sent:Time.t -> (t, string) result
(** [of_message m ~sent] is the lease in an offer or ACK. Its times count from [sent], when the
    request was sent (RFC 2131 §4.4.5). Without a usable T1 and T2 they are 0.5 and 0.875 of the
    lease. Classless routes replace the routers. A mask that is missing is that of the address's
    class. The error is what is wrong, for a person: no server address, no time, an address that no
    host can have. Other options that are not well formed are ignored. *)

val same_settings : t -> t -> bool
(** [same_settings a b] is true if they differ in their times and server at most. *)

val is_current : t option -> t option -> bool
(** [is_current l now] is true if they are the same value ([==]), not only equal ones, or none. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints one line, without the times. *)
