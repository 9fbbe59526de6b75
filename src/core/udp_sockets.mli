(** The UDP sockets of a host (RFC 768, RFC 1122 §4.1): their ports, the delivery of datagrams, and
    the queues of received datagrams.

    A socket is bound to a port at one local address or at all of them. A connected socket receives
    only datagrams of its peer and ICMP errors about datagrams it sent there. The queue of a socket
    is bounded in bytes and datagrams; a datagram that does not fit is dropped and counted, so a
    slow reader affects only itself. Sockets with an empty queue may keep storage for the next
    burst, together at most 2 MiB plus 16 KiB per socket. *)

open Weir_wire

type t
type socket

val create : ?ports:Ports.part -> Random.State.t -> budget:Weir_base.Budget.t -> t
(** [create random ~budget] has no sockets. [random] chooses ephemeral ports, of [ports] (default
    all). The queues' storage is counted in [budget]; a datagram that does not fit into it is
    dropped too. *)

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
    is {!Weir_wire.Ip.any}, or {!Weir_wire.Ip.any_v6} for both families. Port 0 takes a free
    ephemeral port; [`No_port]: there is none. [`In_use]: another socket has the port at the same or
    an overlapping address, unless both have [reuse] or both have [share] (default [false]). Sockets
    that share a port each get the datagrams of about the same number of peers. The queue holds at
    most [buffer] bytes (default 256 KiB) and [max_datagrams] datagrams (default 4,096). Each
    datagram takes 12 bytes more than its data.
    @raise Invalid_argument unless [port] is 0 to 65,535 and the bounds are positive. *)

val default_buffer : int

val buffer : socket -> int
(** [buffer s] is how many bytes the queue holds at most. *)

val set_buffer : socket -> int -> unit
(** [set_buffer s n] limits the queue to [n] bytes from now on. *)

val connect : socket -> local:Ip.t -> remote:Ip.t -> remote_port:int -> unit
(** [connect s ~local ~remote ~remote_port] makes [remote] and [remote_port] the only peer of [s],
    and [local] its local address if it was bound to all. Queued datagrams stay. *)

val disconnect : socket -> unit
(** [disconnect s] undoes {!connect}. *)

val close : t -> socket -> unit
(** [close t s] frees the port and drops the queued datagrams. Idempotent. *)

val to_list : t -> socket list
(** [to_list t] is the list of the open sockets. *)

val is_open : socket -> bool

val address : socket -> Ip.t
(** [address s] is the local address, {!Weir_wire.Ip.any} or {!Weir_wire.Ip.any_v6} for all of them.
*)

val port : socket -> int

val remote : socket -> (Ip.t * int) option
(** [remote s] is the peer's address and port if [s] is connected. *)

val set_wake : socket -> (unit -> unit) -> unit
(** As {!Tcp.set_wake}: the driver calls [wake s] after a {!Stack.val-event} of [s]. *)

val wake : socket -> unit -> unit

(** {1 Groups}

    A socket receives what is sent to a group if it joined it on that interface, and as its filter
    says. What is for all hosts of a link every socket receives. *)

val set_on_membership : t -> (interface:int -> Ip.t -> unit) -> unit
(** [set_on_membership t f] has [f] called after each change of what sockets want of a group. *)

val set_membership : t -> socket -> interface:int -> Ip.t -> Groups.filter -> bool
(** [set_membership t s ~interface group f] is the socket's membership from now on, none with
    [Include []]. It is [false] if [s] has {!most_memberships} others. They end with the socket. *)

val most_memberships : int
(** 20, as the kernel has by default. *)

val membership : socket -> interface:int -> Ip.t -> Groups.filter option

val is_member : socket -> bool
(** [is_member s] is true if [s] is a member of any group. *)

val filters : t -> interface:int -> Ip.t -> Groups.filter list
val hears : socket -> Packet.t -> interface:int -> bool

val group_ttl : socket -> int
(** [group_ttl s] is the time to live, or hop limit, of datagrams to groups; at first 1. *)

val set_group_ttl : socket -> int -> unit

val group_loop : socket -> bool
(** [group_loop s] is true, at first, if members on this host receive what [s] sends. *)

val set_group_loop : socket -> bool -> unit

val group_interface : socket -> int
(** [group_interface s] is the interface by which datagrams to groups leave, -1 for that of the
    route to them. *)

val set_group_interface : socket -> int -> unit

(** {1 Datagrams for other hosts} *)

val intercept : t -> limit:int -> (socket -> unit) -> unit
(** [intercept t ~limit f] makes [t] open a socket for each datagram, to any address, for which
    there is no socket: see {!Stack.set_transparent}. The socket is bound to the destination's
    address and port and connected to the source's; it is open until its user closes it. Its queue
    holds 64 KiB. [f] is called with the socket after its first datagram was queued, and must not
    wait. While [limit] such sockets are open, datagrams that would need another are dropped and
    counted.
    @raise Invalid_argument if [limit] is below 1, or [t] intercepts already. *)

val open_flow : t -> address:Ip.t -> port:int -> remote:Ip.t -> remote_port:int -> socket option
(** [open_flow t ~address ~port ~remote ~remote_port] is a socket like those of {!intercept}, opened
    from this side: what it sends comes from [port] of [address], which may be another host's.
    [None] at the limit, or if that pair has a socket already. *)

val stop_intercepting : t -> unit
(** [stop_intercepting t] undoes {!intercept} and closes its sockets. *)

val new_flow :
  t ->
  Packet.t ->
  dst_port:int ->
  src_port:int ->
  [ `No_socket | `Full | `Flow of socket * (socket -> unit) ]
(** [new_flow t p ~dst_port ~src_port] is the new socket for the unicast datagram in [p], for which
    {!find} found none, and the function of {!intercept}. *)

(** {1 Packets that come in} *)

val find : t -> Packet.t -> dst_port:int -> src_port:int -> socket option
(** [find t p …] is the socket for the unicast datagram in [p]. In order of preference: a socket
    connected to the sender, a socket bound to the destination address, one bound to all addresses
    of the packet's family, one bound to all of both families; of equal ones the socket bound last.
    It does not allocate. It searches all sockets with the port [dst_port]. *)

val iter_matching : t -> Packet.t -> dst_port:int -> src_port:int -> (socket -> unit) -> unit
(** [iter_matching t p … f] calls [f] for each socket that receives the datagram in [p], which is
    for a broadcast or multicast address. *)

val enqueue : socket -> Packet.t -> src_port:int -> off:int -> len:int -> bool
(** [enqueue s p ~src_port ~off ~len] copies the addresses of [p] and the datagram's data to the
    queue. It is [false] if the datagram was dropped: there is no room, or [s] is closed. *)

val report :
  t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  Icmp_error.t ->
  socket option
(** [report t … e] stores the error [e] about a datagram from [local] to [remote] in the socket
    connected to [remote] and returns that socket. Unconnected sockets get no errors. *)

(** {1 Reading} *)

val receive : socket -> Bytes.t -> off:int -> len:int -> int
(** [receive s b ~off ~len] removes the oldest datagram, copies at most its first [len] bytes, and
    returns its full length; -1 if there is none. {!last_src} and {!last_src_port} are its source,
    {!last_dst} its destination. *)

val last_src : socket -> Ip.t
val last_src_port : socket -> int

val last_dst : socket -> Ip.t
(** [last_dst s] is one of the host's addresses, or a broadcast address. *)

val next_length : socket -> int
(** [next_length s] is the length of the oldest datagram, or -1. *)

val queued : socket -> int
(** [queued s] is the number of datagrams that wait. *)

val queued_bytes : socket -> int
(** [queued_bytes s] is the bytes of the buffer that they use. *)

val dropped : socket -> int
(** [dropped s] is the number of datagrams for which there was no room. *)

val error : socket -> Icmp_error.t option
(** [error s] is the last error reported and not yet taken. *)

val take_error : socket -> Icmp_error.t option
(** [take_error s] is {!error}, and clears it. *)

(** {1 Events} *)

val announce : socket -> bool
(** [announce s] marks [s] as announced; it is [false] if [s] was announced before and {!heard} was
    not called since. So a stack has a socket in its event queue only once. *)

val heard : socket -> unit
