(** The driver's own reasons inside Eio's network exceptions, and addresses across the edge. *)

type Eio.Exn.Backend.t +=
  | Tcp_error of Weir_core.Tcb.error
  | Closed_locally
  | Unsupported of string
  | Address_in_use of int  (** the port *)
  | No_free_port
  | Bad_address of string
  | Message_too_long of int  (** its length in bytes *)
  | Queue_full
  | Icmp_error of string

val reset : Eio.Exn.Backend.t -> exn
(** [reset e] is [Eio.Net.Connection_reset e] as an exception. *)

val refused : Eio.Exn.Backend.t -> exn
(** [refused e] is [Connection_failure (Refused e)] as an exception. *)

val of_open : what:string -> port:int -> [< `In_use | `No_port | `Bad_address ] -> exn
(** [of_open ~what ~port e] is the exception for a port or address that cannot be had. *)

val ipv4 : Eio.Net.Ipaddr.v4v6 -> Ipaddr.V4.t
(** [ipv4 a] is [a], also if it is an IPv4 address mapped into IPv6, or [::] for any.
    @raise Eio.Io for other IPv6 addresses. *)

val eio_address : Ipaddr.V4.t -> Eio.Net.Ipaddr.v4v6
