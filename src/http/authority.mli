(** [host:port], as in the Host field and in absolute request targets (RFC 3986 §3.2, RFC 9110
    §7.2). *)

val valid : string -> off:int -> len:int -> bool
(** [valid s ~off ~len] is whether these bytes are a host (a name, an IPv4 address, or an IPv6
    address in brackets; possibly empty) with an optional port up to 65535. User information, a path
    or a list make it false. *)

val split : string -> (string * int option) option
(** [split s] is the host, without brackets, and the port; [None] unless [s] is {!valid}. *)
