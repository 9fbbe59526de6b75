(** Names without a resolver: literals, ["localhost"], a table, and well-known services. *)

val port : string -> int option
(** [port service] is its number: a decimal, a well-known name, or 0 for [""]. *)

val addresses : (string * Ipaddr.t) list -> string -> Ipaddr.t list
(** [addresses table node] is what [node] stands for, without regard to case; [""] is any address.
*)

val name : (string * Ipaddr.t) list -> Ipaddr.t -> string
(** [name table a] is [a]'s name in [table], or [a] in digits. *)
