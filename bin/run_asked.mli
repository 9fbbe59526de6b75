(** The names that the program asked for: DNS answers to it, read as they pass. *)

type t

val create : unit -> t

val add : t -> string -> Ipaddr.t -> unit
(** [add t name a]: [a] is an address of [name]. *)

val learn : t -> Weir_wire.Dns.t -> unit
(** [learn t answer] remembers of which names its addresses are; at most 10,000 addresses. *)

val names : t -> Ipaddr.t -> string list
(** [names t a] is the names whose answers held [a], the latest first, at most 8. *)

val latest : t -> Ipaddr.t -> string option

val question : Weir_wire.Dns.t -> string option
(** [question m] is the name that [m] asks for, in lower case. *)

val failure : Weir_wire.Dns.t -> [ `Servfail | `Nxdomain ] -> string
(** [failure query how] is the server's answer that it failed, or that there is no such name. *)

val all : t -> (Ipaddr.t * string) list
(** [all t] is every address with the latest of its names, in order of addresses. *)
