(** Chooses packets by an expression, such as [port 80 and tcp.rst].

    {v
    expression = term { ("or" | "||") term }
    term       = factor { ("and" | "&&") factor }
    factor     = ("not" | "!") factor | "(" expression ")" | test
    test       = protocol [ place ] | place | field [ comparison value ]
    place      = [ "src" | "dst" ] ( [ "host" ] ADDRESS
                                   | "net" ADDRESS "/" BITS
                                   | "port" PORT [ "-" PORT ] )
    protocol = "ip" | "ip6" | "arp" | "icmp" | "icmp6" | "udp" | "tcp" | "fragment"
    comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
    v}

    - [host] without [src] or [dst] matches either; it also matches the addresses in ARP packets.
      [port] matches TCP and UDP ports. Fragments have no ports.
    - [tcp port 80] means [tcp and port 80].
    - A field ({!Fields}) alone is true if the packet has the field; a flag, if it is set.
    - [field == value] is true if one of the field's values equals [value]; [field != value] is true
      if the packet has the field and none of its values equals [value]. Numbers are decimal, [0x]
      hexadecimal, or names of the field's values. An address may have a prefix length,
      [ip.src == 10.0.0.0/8]. A flag is compared with 0 or 1.
    - Case does not matter. *)

type t

type error = {
  at : int;  (** offset of the wrong word, in bytes *)
  found : string;  (** the word there, [""] at the end *)
  wanted : string;  (** what is expected there, such as ["an IP address"] *)
}

val parse : string -> (t, error) result
(** [parse s] is the filter that [s] describes; {!everything} for the empty string. At most 100
    levels of nesting. *)

val everything : t

val pp_error : Format.formatter -> error -> unit
(** Prints one line; it counts characters from 1. *)

val matches : t -> Dissection.t -> bool
(** [matches t d] is whether [d] matches [t]. It compares the sequence numbers of [d.shown]. *)
