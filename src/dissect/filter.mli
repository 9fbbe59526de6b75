(** Chooses packets by an expression, such as [port 80 and tcp.rst].

    {v
    expression = term { ("or" | "||") term }
    term       = factor { ("and" | "&&") factor }
    factor     = ("not" | "!") factor | "(" expression ")" | test
    test       = protocol [ place ] | place | field [ comparison value ]
    place      = [ "src" | "dst" ] ( [ "host" ] ADDRESS
                                   | "net" ADDRESS "/" BITS
                                   | "port" PORT [ "-" PORT ] )
    protocol   = "ip" | "arp" | "icmp" | "udp" | "tcp" | "fragment"
    comparison = "==" | "=" | "!=" | "<" | "<=" | ">" | ">="
    v}

    - [host] without [src] or [dst] is for either; it also finds the addresses in ARP packets.
      [port] is of TCP and UDP. Fragments have no ports.
    - [tcp port 80] is [tcp and port 80].
    - A field ({!Fields}) alone is true if the packet has it; a flag, if it is set.
    - [field == value] is true if any of the field's values is; [field != value] if there is one and
      none is. Numbers are decimal or [0x] hexadecimal, or names that the field has; an address may
      have a prefix, [ip.src == 10.0.0.0/8]; a flag is compared with 0 or 1.
    - Letters may be of either case. *)

type t

type error = {
  at : int;  (** bytes before what is wrong *)
  found : string;  (** the word there, [""] at the end *)
  wanted : string;  (** what should be there, as ["an IP address"] *)
}

val parse : string -> (t, error) result
(** [parse s] is the filter; of the empty text it is {!everything}. Nesting is limited to 100. *)

val everything : t

val pp_error : Format.formatter -> error -> unit
(** One line, which counts characters from 1. *)

val matches : t -> Dissection.t -> bool
(** [matches t d] looks at sequence numbers as they are shown. *)
