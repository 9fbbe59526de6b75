(** The settings of a {!Dhcp_client}. *)

open Weir_base

type probing = {
  probes : int;  (** 3; with 0 an address is used at once *)
  wait : Time.t;  (** before the first at most, 1 s *)
  shortest : Time.t;  (** between two, 1 s *)
  longest : Time.t;  (** between two, 2 s *)
  settle : Time.t;  (** after the last, 2 s *)
}
(** RFC 5227 §1.1. *)

type t = {
  host_name : string option;  (** sent to the server (option 12) *)
  identifier : string option;
      (** the client's (option 61); by default 1 and the MAC address (RFC 2132 §9.14) *)
  previous : Ipaddr.V4.t option;
      (** the address of an earlier run, which is asked for first (INIT-REBOOT) *)
  keeps : bool;
      (** a lease is not given back at the end, as the next run asks for it again: then [previous]
          is to be stored *)
  probing : probing;
  retry : Time.t;  (** before the first retransmission; doubled each time (RFC 2131 §4.1) *)
  longest_retry : Time.t;
  shortest_renewal : Time.t;  (** between two requests to extend a lease, at least (§4.4.5) *)
}

val default : t
(** Leases are given back. The RFCs' times: 4 s to 64 s, 60 s for renewals; addresses are probed for
    4 to 7 s. *)

val rfc4361 : iaid:int -> duid:string -> string
(** [rfc4361 ~iaid ~duid] is a client [identifier] as RFC 4361 §6.1 has it. [duid] may be
    ["\000\004"] and 16 random bytes that are stored (RFC 6355 §4). *)

val check : t -> unit
(** @raise Invalid_argument
      if [host_name] is no name, [identifier] is not 2 to 255 bytes, a time is negative, or
      [longest] is below [shortest]. *)
