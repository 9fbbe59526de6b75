(** A host in the shape of [Tcpip.Stack.V4V6] (tcpip 9), so that functors written for Mirage's
    stacks can be applied to it: DNS, Conduit, HTTP clients and servers. Mirage is not needed.

    Only TCP's [Keepalive.t] is a type that Mirage defines: [doc/mirage.md] shows how to convert it.
    Calls with an address to which the host has no route fail, and a program that tries several
    addresses goes on to the next. *)

type t

val of_host : Host.t -> t
(** [of_host h] is [h]. Only [t] can end what listens through [t]. Until then its ports are taken
    for all of [h]. *)

module UDP = Mirage_udp
module TCP = Mirage_tcp
module IP = Mirage_ip

val udp : t -> UDP.t
val tcp : t -> TCP.t
val ip : t -> IP.t

val listen : t -> unit Lwt.t
(** [listen t] is resolved when the host is closed. The host works without this call. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] ends all listening and the host with it: see {!Host.shutdown} and {!Host.close}.
*)
