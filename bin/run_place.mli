(** The addresses in the program's network: its own, the gateway's, and those of other members. *)

type t

val make : Run_members.t option -> t
(** [make members] is the place of a program on a network with others, or alone. *)

val v4 : t -> Weir_tap.Enclosure.address
val v6 : t -> Weir_tap.Enclosure.address

val own : t -> Ipaddr.t list
(** [own t] is the program's addresses. *)

val is_own : t -> Ipaddr.t -> bool
val gateway4 : Ipaddr.t
val gateway6 : Ipaddr.t

val resolver : Ipaddr.t
(** The name server's. *)

val gateways : string
(** Those addresses with their networks, for the host that has them. *)

val is_inside : Ipaddr.t -> bool
(** [is_inside a] is true of all addresses of the network. *)

val table : t -> (string * Ipaddr.t) list
(** [table t] is the members of now, by name. *)

val member : t -> Ipaddr.t -> string option
(** [member t a] is the name of the member of now that has [a]. *)

val is_there : t -> Ipaddr.t -> bool
(** [is_there t a] is false for members that have left. *)
