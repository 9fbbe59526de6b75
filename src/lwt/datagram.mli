(** UDP sockets under Lwt.

    Received datagrams wait in a bounded queue; excess datagrams are dropped. Cancelling {!recv}
    either rejects it, and no datagram is lost, or comes too late and has no effect. *)

type t

val open_ : ?reuse:bool -> ?address:Ipaddr.t -> Host.t -> port:int -> (t, Error.t) result
(** [open_ h ~port] is a socket bound to [port] (0: a free one) at every local address, or at
    [address]. *)

val port : t -> int

val connect : t -> Ipaddr.t -> port:int -> unit
(** [connect t a ~port] connects the socket: it receives only datagrams from [port] of [a]. An ICMP
    error about a datagram sent there is reported once, by the next {!recv} or {!send}. *)

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
    {!connect}. The time to live is [ttl], by default 64, or for a group that of {!mcast_set_ttl}.
    The call does not wait: it fails with [Queue_full] if the datagram cannot be queued. A datagram
    longer than {!Host.path_mtu} allows is sent in fragments. With [dont_fragment] (default false)
    such a datagram is refused with [Message_too_long], and routers must not fragment any. [probe]
    does the same with the link's MTU as the limit, for programs that search the path MTU themselves
    (RFC 8899).
    @raise Invalid_argument unless [ttl] is 1 to 255. *)

val send_string : t -> ?dst:Ipaddr.t * int -> string -> (unit, Error.t) Lwt_result.t

(** {1 Groups}

    The names are those of [Lwt_unix]. A socket receives only from groups that it has joined.
    [interface] is an interface's number, by default that of the route to the group. *)

val mcast_add_membership : t -> ?interface:int -> Ipaddr.t -> (unit, Error.t) result
(** [mcast_add_membership t group] joins [group], of either family. It fails with [Bad_address] if
    [group] is not a group or there is no such interface, and with [Queue_full] beyond the limits of
    {!Weir_core.Stack.set_membership}. *)

val mcast_drop_membership : t -> ?interface:int -> Ipaddr.t -> (unit, Error.t) result

type filter = [ `Include of Ipaddr.t list | `Exclude of Ipaddr.t list ]
(** The senders from which a member receives, or all but these (RFC 3678 §3). *)

val mcast_set_filter : t -> ?interface:int -> Ipaddr.t -> filter -> (unit, Error.t) result
(** [mcast_set_filter t group f] joins [group] with the filter [f], or changes the filter.
    [`Include []] leaves the group. *)

val mcast_set_ttl : t -> int -> unit
(** [mcast_set_ttl t n] sets the time to live of datagrams to groups, for {!send} without [ttl]. It
    is 1 at first.
    @raise Invalid_argument unless [n] is 0 to 255. *)

val mcast_set_loop : t -> bool -> unit
(** [mcast_set_loop t b] sets whether members on this host receive what [t] sends to groups. It is
    [true] at first. *)

val mcast_set_interface : t -> int -> unit
(** [mcast_set_interface t n] sends datagrams to groups by interface [n].
    @raise Invalid_argument if there is no such interface. *)

(** {1 Receiving} *)

type received = {
  length : int;
  from : Ipaddr.t;
  from_port : int;
  at : Ipaddr.t;  (** the address it was sent to: the host's, a broadcast address or a group *)
}

val recv : t -> Bytes.t -> off:int -> len:int -> (received, Error.t) Lwt_result.t
(** [recv t b ~off ~len] waits for a datagram and stores at most its first [len] bytes; [length] is
    the number stored. The rest of a longer datagram is lost, as POSIX specifies. *)

val readable : t -> (unit, Error.t) Lwt_result.t
(** [readable t] waits until {!take} can return a datagram. *)

val take : t -> (Bytes.t * received) option
(** [take t] removes the oldest datagram, if there is one, and returns all of it in a fresh buffer.
*)

val close : t -> unit Lwt.t
(** [close t] ends a pending {!recv} with [Closed_locally]. Idempotent. *)
