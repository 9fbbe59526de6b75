(** The kernel's errors, as Eio's own backends raise them: each error is [Eio_unix.Err.v] of an
    error code, the call's name, and Weir's own reason, if any. *)

val v : Unix.error -> string -> string -> exn
(** [v code call why] is the exception that Eio's backends make of [code], such as
    [Connection_failure (Refused _)] or [Connection_reset _]. It contains
    [Eio_unix.Unix_error (code, call, why)]. *)

val of_tcp : Weir_core.Tcp.error -> string -> exn
(** [of_tcp e call] is the exception for a connection that ended by [e]. *)

val code_of_tcp : Weir_core.Tcp.error -> Unix.error

val closed : string -> exn
(** [closed call] is [Invalid_argument], for a call on a socket that was closed before. *)

val closed_meanwhile : string -> exn
(** [closed_meanwhile call] is a [Connection_reset], for a call that waited when another fiber
    closed the socket. *)

val flow_timeout : string -> exn
(** [flow_timeout call] is a lost connection (ETIMEDOUT). *)

val address : Eio.Net.Ipaddr.v4v6 -> Ipaddr.t

val is_any : Ipaddr.t -> bool
(** [is_any a] is true for 0.0.0.0 and [::]. *)

val port : string -> int -> int
(** [port call p] is [p].
    @raise Eio.Io (EINVAL) if it is not a port, 0 to 65,535. *)

val no_unix_domain : string -> exn
(** [no_unix_domain call] is the error that Weir has no Unix-domain sockets (EAFNOSUPPORT). *)

val is_ipv6 : Eio.Net.Ipaddr.v4v6 -> bool

val eio_address : ?ipv6:bool -> Weir_wire.Ip.t -> Eio.Net.Ipaddr.v4v6
(** [eio_address a] is [a]; with [ipv6], as a socket of that family shows it: an IPv4 address is
    mapped into IPv6 ([::ffff:10.0.0.1]). *)
