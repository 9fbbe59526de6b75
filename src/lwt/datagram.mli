(** UDP sockets under Lwt.

    Received datagrams wait in a bounded queue; excess datagrams are dropped. Cancelling a {!recv}
    either rejects it, and no datagram is lost, or comes too late and has no effect. *)

type t

val open_ : ?reuse:bool -> ?address:Ipaddr.t -> Host.t -> port:int -> (t, Error.t) result
(** [open_ h ~port] is a socket bound to [port] (0: a free one) at every local address, or at
    [address]. *)

val port : t -> int

val connect : t -> Ipaddr.t -> port:int -> unit
(** [connect t a ~port] connects the socket: only datagrams from [a] at [port] are received, and the
    next {!recv} or {!send} reports an ICMP error about a datagram sent there, once. *)

val send :
  t ->
  ?ttl:int ->
  ?dont_fragment:bool ->
  ?probe:bool ->
  ?dst:Ipaddr.t * int ->
  Bytes.t ->
  off:int ->
  len:int ->
  (unit, Error.t) Lwt_result.t
(** [send t ~dst b ~off ~len] sends one datagram, at most 65,507 bytes, to [dst] or the peer of
    {!connect}, with time to live [ttl] (64, to groups {!mcast_set_ttl}). It does not wait:
    [Queue_full] if it cannot be queued. A datagram longer than {!Host.path_mtu} allows is sent in
    fragments. With [dont_fragment] (default false) it is refused with [Message_too_long], and
    routers must not fragment it. [probe] is the same by the link's MTU, for programs that search
    the path's MTU by themselves (RFC 8899).
    @raise Invalid_argument unless [ttl] is 1 to 255. *)

val send_string : t -> ?dst:Ipaddr.t * int -> string -> (unit, Error.t) Lwt_result.t

(** {1 Groups}

    The names are those of [Lwt_unix]. A socket receives what is sent to the groups that it joined;
    [interface] is a number, by default that of the route to the group. *)

val mcast_add_membership : t -> ?interface:int -> Ipaddr.t -> (unit, Error.t) result
(** [mcast_add_membership t group] joins [group], of either family. [Bad_address]: it is no group,
    or there is no such interface. [Queue_full]: beyond the limits of
    {!Weir_core.Stack.set_membership}. *)

val mcast_drop_membership : t -> ?interface:int -> Ipaddr.t -> (unit, Error.t) result

type filter = [ `Include of Ipaddr.t list | `Exclude of Ipaddr.t list ]
(** From which senders a member receives, or does not (RFC 3678 §3). *)

val mcast_set_filter : t -> ?interface:int -> Ipaddr.t -> filter -> (unit, Error.t) result
(** [mcast_set_filter t group f] joins [group] with the filter [f], or changes it; [`Include []]
    leaves it. *)

val mcast_set_ttl : t -> int -> unit
(** [mcast_set_ttl t n] is the time to live of what is sent to groups, without [ttl] of {!send}: at
    first 1.
    @raise Invalid_argument unless [n] is 0 to 255. *)

val mcast_set_loop : t -> bool -> unit
(** [mcast_set_loop t b] is whether members on this host receive what [t] sends, at first [true]. *)

val mcast_set_interface : t -> int -> unit
(** [mcast_set_interface t n] has packets to groups leave by interface [n].
    @raise Invalid_argument if there is no such interface. *)

(** {1 Receiving} *)

type received = {
  length : int;
  from : Ipaddr.t;
  from_port : int;
  at : Ipaddr.t;  (** the address it was sent to: the host's, a broadcast address or a group *)
}

val recv : t -> Bytes.t -> off:int -> len:int -> (received, Error.t) Lwt_result.t
(** [recv t b ~off ~len] waits for a datagram and stores at most its first [len] bytes, as POSIX
    specifies; [length] is how many were stored. *)

val readable : t -> (unit, Error.t) Lwt_result.t
(** [readable t] waits until {!take} can return a datagram. *)

val take : t -> (Bytes.t * received) option
(** [take t] removes the oldest datagram and returns all of it in a fresh buffer. *)

val close : t -> unit Lwt.t
(** [close t] is idempotent and ends a pending {!recv} with [Closed_locally]. *)
