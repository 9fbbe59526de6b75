(** In which order to try the addresses of a host (RFC 6724 §6). Addresses of interfaces have no
    states here that rules 3, 4 and 7 would ask for: home addresses, deprecated ones, tunnels. *)

val sort : source:(Ipaddr.t -> Ipaddr.t option) -> Ipaddr.t list -> Ipaddr.t list
(** [sort ~source l] is [l], best first: what can be reached (rule 1), addresses of the scope and
    label of the source that they would be sent from (rules 2, 5), of high precedence (6) and small
    scope (8), of the longest prefix in common with the source (9, IPv6 only), in the order of [l]
    (10). [source a] is the source of packets to [a], or [None] if there is no route. *)

val interleave : Ipaddr.t list -> Ipaddr.t list
(** [interleave l] is [l] with its families taking turns, beginning with the first's (RFC 8305 §4,
    First Address Family Count 1). Each family keeps its order. *)
