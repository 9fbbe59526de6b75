(** Well-known services: the names that the Internet Assigned Numbers Authority has given to ports,
    those of them that Debian's [netbase] knows, with its other names for them.

    A service belongs to a protocol: [ssh] is TCP's alone, and UDP's port 21 is not [ftp]. Names are
    told apart by case, as the C library does. The table is part of the program: no file is read, so
    that a simulated world gives the same answers everywhere. *)

type protocol = Tcp | Udp

val port : protocol -> string -> int option
(** [port p name] is the port of the service called [name], its first name or another, over [p]. *)

val name : protocol -> int -> string option
(** [name p port] is the first name of the service at [port] over [p]. *)
