(** Names without a resolver, answered as the C library does from its own tables: addresses in
    digits, ["localhost"], a host's table of names, and {!Services}. *)

type protocol = Services.protocol = Tcp | Udp

val ports : string -> (protocol * int) list
(** [ports service] is the port of [service] in each protocol that has a service of that name, TCP
    first; in both if it is a decimal number or [""], which is port 0. [[]] if no table has it, and
    for a number above 65,535. *)

val addresses : (string * Ipaddr.t) list -> string -> Ipaddr.t list
(** [addresses table node] is what [node] stands for: an IPv6 address; an IPv4 address in any of the
    forms of [inet_aton] (["127.1"], and ["010.0.0.1"] is 8.0.0.1); a name in [table], without
    regard to case; ["localhost"], unless [table] has one. [[]] for any other, and for [""]. *)

val lookup :
  (string * Ipaddr.t) list ->
  service:string ->
  string ->
  ((protocol * Ipaddr.t * int) list, [ `No_name | `No_service ]) result
(** [lookup table ~service node] is [node]'s {!addresses}, each with the {!ports} of [service];
    never [Ok []]. If [node] is [""], its address is 127.0.0.1; if [service] is [""] too, the result
    is [`No_name]. *)

val name : (string * Ipaddr.t) list -> Ipaddr.t -> string
(** [name table a] is [a]'s name in [table], ["localhost"] for 127.0.0.1, or [a] in digits. *)

val service : protocol -> int -> string
(** [service p port] is the name of the service at [port] over [p], or [port] in digits. *)
