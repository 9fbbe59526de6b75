(** The names that a program may mean by one (RFC 1535 §6). *)

open Weir_wire

type t

val create : ?ndots:int -> string list -> t
(** [create domains] are the domains to look in, in order. Those that are no domain names are left
    out, and all after the first {!most}. [ndots] is 1 unless given, at most 15. *)

val none : t

val most : int
(** 6 domains. *)

val candidates : t -> string -> Dns.name list
(** [candidates t name] is what [name] may stand for, the most likely first: itself, if it ends in a
    dot; otherwise itself before [name] in each domain if it has at least [ndots] dots, and after
    them if not. [[]] if it is no host's name ({!Dns_name.is_host}), or its last label is a number.
*)
