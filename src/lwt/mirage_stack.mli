(** A host in the shape of [Tcpip.Stack.V4V6] (tcpip 9), so that functors written for Mirage's
    stacks can be applied to it: DNS, Conduit, HTTP clients and servers. Mirage is not needed.

    The one type that is Mirage's own is TCP's [Keepalive.t]: [doc/mirage.md] has the lines that fit
    it. IPv6 is not there: calls with an IPv6 address fail and say so, and a program that tries
    several addresses goes on to the next. *)

type t

val of_host : Host.t -> t
(** [of_host h] is [h]. What listens through [t] can be ended through [t] only, and holds its ports
    for all of [h]. *)

module UDP = Mirage_udp
module TCP = Mirage_tcp
module IP = Mirage_ip

val udp : t -> UDP.t
val tcp : t -> TCP.t
val ip : t -> IP.t

val listen : t -> unit Lwt.t
(** [listen t] is resolved when the host is closed. The host lives and listens without it. *)

val disconnect : t -> unit Lwt.t
(** [disconnect t] ends all listening and the host with it: see {!Host.shutdown} and {!Host.close}.
*)
