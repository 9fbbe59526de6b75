(** UDP sockets under Lwt.

    Received datagrams wait in a bounded queue; excess datagrams are dropped. Cancelling a {!recv}
    either rejects it, and no datagram is lost, or comes too late and has no effect. *)

type t

val open_ : ?reuse:bool -> ?address:Ipaddr.t -> Host.t -> port:int -> (t, Error.t) result
(** [open_ h ~port] is a socket bound to [port] (0: a free one) at every local address, or at
    [address]. *)

val port : t -> int

val connect : t -> Ipaddr.t -> port:int -> unit
(** [connect t a ~port] connects the socket: only datagrams from [a] at [port] are received, and
    {!recv} reports ICMP errors about datagrams sent there. *)

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
    {!connect}, with time to live [ttl] (64). It does not wait: [Queue_full] if it cannot be queued.
    A datagram longer than {!Host.path_mtu} allows is sent in fragments. With [dont_fragment]
    (default false) it is refused with [Message_too_long], and routers must not fragment it. [probe]
    is the same by the link's MTU, for programs that search the path's MTU by themselves (RFC 8899).
    @raise Invalid_argument unless [ttl] is 1 to 255. *)

val send_string : t -> ?dst:Ipaddr.t * int -> string -> (unit, Error.t) Lwt_result.t

type received = {
  length : int;
  from : Ipaddr.t;
  from_port : int;
  at : Ipaddr.t;  (** the address it was sent to: the host's, or a broadcast address *)
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
