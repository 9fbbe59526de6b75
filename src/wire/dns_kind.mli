(** Types of DNS records (RFC 1035 §3.2.2, RFC 3596, RFC 2782, RFC 6891). *)

type t = A | NS | CNAME | SOA | PTR | MX | TXT | AAAA | SRV | OPT | Other of int

val of_int : int -> t
val to_int : t -> int

val of_string : string -> t option
(** [of_string "AAAA"] is [Some AAAA]; case does not matter. [OPT] is refused, because it cannot be
    asked for. *)

val pp : Format.formatter -> t -> unit
