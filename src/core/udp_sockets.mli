(** The UDP sockets of a host (RFC 768, RFC 1122 §4.1): who holds which port, whom a datagram is
    for, and what was received and not yet read.

    A socket is bound to a port at one local address or at all of them, and may be connected: then
    it gets datagrams from its peer only, and the ICMP errors about what it sent there. The queue of
    a socket is bounded in bytes and datagrams; what does not fit is dropped and counted, so a slow
    reader costs itself only. Storage for the next burst that sockets keep while they have nothing
    queued is bounded for all of them together, at 2 MiB and 16 KiB a socket. *)

open Weir_wire

type t
type socket

val create : Random.State.t -> budget:Weir_base.Budget.t -> t
(** [create random ~budget] has no socket. [random] chooses ephemeral ports; the queues' storage
    counts in [budget], and what does not fit there is dropped too. *)

val length : t -> int
(** [length t] is the number of open sockets. *)

(** {1 Opening and closing} *)

val bind :
  ?buffer:int ->
  ?max_datagrams:int ->
  ?share:bool ->
  t ->
  address:Ip.t ->
  port:int ->
  reuse:bool ->
  (socket, [ `In_use | `No_port ]) result
(** [bind t ~address ~port ~reuse] is a new socket at [address], or at every local address if that
    is {!Weir_wire.Ip.any}. Port 0 takes an ephemeral one nobody has; [`No_port]: there is none.
    [`In_use]: another socket has the port at an address that meets this one, and not both were
    bound with [reuse], or both with [share] (default [false]): of those that share, each gets the
    datagrams of about as many peers. The queue holds [buffer] bytes (256 KiB), 12 of them for each
    datagram beside its data, and [max_datagrams] (4,096) datagrams.
    @raise Invalid_argument unless [port] is 0 to 65,535 and the bounds are positive. *)

val default_buffer : int

val buffer : socket -> int
(** [buffer s] is how many bytes the queue holds at most. *)

val set_buffer : socket -> int -> unit
(** [set_buffer s n] has the queue hold [n] bytes at most from now on. *)

val connect : socket -> local:Ip.t -> remote:Ip.t -> remote_port:int -> unit
(** [connect s ~local ~remote ~remote_port] makes that the only peer, and [local] the local address
    if [s] was bound to all. What is queued stays. *)

val disconnect : socket -> unit
(** [disconnect s] undoes {!connect}. *)

val close : t -> socket -> unit
(** [close t s] frees the port and throws away what is queued. Idempotent. *)

val to_list : t -> socket list
(** [to_list t] are the open sockets. *)

val is_open : socket -> bool

val address : socket -> Ip.t
(** [address s] is the local address, {!Weir_wire.Ip.any} for all of them. *)

val port : socket -> int

val remote : socket -> (Ip.t * int) option
(** [remote s] is the peer's address and port if [s] is connected. *)

val set_wake : socket -> (unit -> unit) -> unit
(** As {!Tcp.set_wake}: [wake s] is for when a {!Stack.event} says so of [s]. *)

val wake : socket -> unit -> unit

(** {1 Packets that come in} *)

val find : t -> Packet.t -> dst_port:int -> src_port:int -> socket option
(** [find t p …] is the socket for the datagram in [p], to one host: one connected to its sender
    before one that is not, then one bound to its destination before one bound to all, then the one
    bound last. Allocates nothing. It walks the sockets that share [dst_port]. *)

val iter_matching : t -> Packet.t -> dst_port:int -> src_port:int -> (socket -> unit) -> unit
(** [iter_matching t p … f] calls [f] for each socket for the datagram in [p], to a broadcast or
    multicast address. *)

val enqueue : socket -> Packet.t -> src_port:int -> off:int -> len:int -> bool
(** [enqueue s p ~src_port ~off ~len] copies the addresses of [p], and of its buffer the data of a
    datagram, to the queue, or drops it ([false]): there is no room, or [s] is closed. *)

val report :
  t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  Icmpv4.unreachable ->
  socket option
(** [report t … e] notes the error [e] about a datagram from [local] to [remote] for the socket
    connected so, which it is; unconnected sockets are not told. *)

(** {1 Reading} *)

val receive : socket -> Bytes.t -> off:int -> len:int -> int
(** [receive s b ~off ~len] takes the oldest datagram, copies the first [len] bytes of it at most,
    and is its full length; -1 if there is none. {!last_src} and {!last_src_port} say whose it was,
    {!last_dst} where it was sent. *)

val last_src : socket -> Ip.t
val last_src_port : socket -> int

val last_dst : socket -> Ip.t
(** [last_dst s] is one of the host's addresses, or a broadcast address. *)

val next_length : socket -> int
(** [next_length s] is the length of the oldest datagram, or -1. *)

val queued : socket -> int
(** [queued s] is the number of datagrams that wait. *)

val queued_bytes : socket -> int
(** [queued_bytes s] is what they take of the buffer. *)

val dropped : socket -> int
(** [dropped s] is the number of datagrams for which there was no room. *)

val error : socket -> Icmpv4.unreachable option
(** [error s] is the last error reported and not yet taken. *)

val take_error : socket -> Icmpv4.unreachable option
(** [take_error s] is {!error}, once. *)

(** {1 Events} *)

val announce : socket -> bool
(** [announce s] is [true] if [s] was not announced yet; it is now, until {!heard}. So that a stack
    puts a socket into its event queue once. *)

val heard : socket -> unit
