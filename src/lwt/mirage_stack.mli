(** A host with the signature [Tcpip.Stack.V4V6] (tcpip 9), so that functors over Mirage's stacks
    can be applied to it: DNS, Conduit, HTTP clients and servers. Mirage is not needed.

    Only TCP's [Keepalive.t] is a type that Mirage defines: [doc/mirage.md] shows how to convert it.
    A call with an address to which the host has no route fails at once, so that a program can try
    another address. *)

type t

val of_host : Host.t -> t
(** [of_host h] is [h]. Listeners made through [t] can be stopped only through [t]; until then no
    other part of the program can use their ports. *)

module UDP = Mirage_udp
module TCP = Mirage_tcp
module IP = Mirage_ip

val udp : t -> UDP.t
val tcp : t -> TCP.t
val ip : t -> IP.t

val listen : t -> unit Lwt.t
(** [listen t] is resolved when the host is closed. The host works without this call. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] stops all listeners and closes the host: see {!Host.shutdown} and {!Host.close}.
*)
