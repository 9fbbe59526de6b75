(** Why a host has no DHCP lease, for a person. *)

type t =
  | No_answer of int  (** that many messages were sent *)
  | Unusable of string  (** the last answer, and why *)
  | Unconfirmed of Dhcp_lease.t  (** an offer, which the server did not confirm *)
  | Being_checked of Dhcp_lease.t  (** ARP probes for the address are not over *)

val explain : t -> link:string -> after:Weir_base.Time.t -> string
(** [explain t ~link ~after] is a sentence about [link] after that time. *)
