(** TCP for one host: the user calls of RFC 9293 §3.9.1, the tables, and the demultiplexing of
    segments (§3.10.7.1 CLOSED, §3.10.7.2 LISTEN).

    No call blocks. If a call cannot proceed, the caller registers what it waits for (such as
    {!want_readable}) and tries again after a [Stack.event]. *)

open Weir_wire

type t

type connection
(** A connection; the core's representation is {!Tcb.t}. *)

type listener
type state = Tcb.state
type error = Tcb.error

val pp_state : Format.formatter -> state -> unit
val pp_error : Format.formatter -> error -> unit

val create :
  Config.t -> Counters.t -> Random.State.t -> reply:(src:Ip.t -> dst:Ip.t -> Segment.t -> unit) -> t
(** [create config counters random ~reply] has no connections. [reply ~src ~dst h] must queue the
    segment [h], which has no data: a RST, or a SYN-ACK with a cookie. *)

val length : t -> int
(** [length t] is the number of connections in any state but CLOSED. *)

val ports : t -> Ports.part
(** [ports t] is the part of the ports from which {!connect} and {!listen} choose. *)

val set_stray : t -> (unit -> bool) -> unit
(** [set_stray t f] makes [t] call [f ()] in {!input} when it has no connection and no listener for
    the segment. If it is [true], another host takes the segment, and it is not refused. *)

val budget : t -> Weir_base.Budget.t
(** [budget t] bounds the memory of the host's buffers. *)

val usage : t -> Usage.tcp
(** [usage t] visits all connections. *)

(** {1 User calls} *)

val may_bind : ?share:bool -> t -> address:Ip.t -> port:int -> reuse:bool -> bool
(** [may_bind t ~address ~port ~reuse] is true if a listener or connection may be bound to [port] of
    [address]. Every listener there must have [share], like the new one. Every connection there, in
    any state, must have [reuse] or [share], like the new one. True for port 0. *)

val listen :
  ?share:bool ->
  t ->
  address:Ip.t ->
  port:int ->
  backlog:int ->
  reuse:bool ->
  (listener, [ `In_use | `No_port ]) result
(** [listen t ~address ~port ~backlog ~reuse] (passive OPEN) where {!may_bind} allows it. Port 0
    takes a free one. While [backlog] connections wait to be accepted, SYNs are not answered;
    handshakes that began before still complete. There are at most [backlog] half-open connections,
    or [Config.max_half_open] if that is more; at that limit SYNs are answered with {!Syn_cookies}.
    Connections have the listener's [reuse] and [share], unless {!set_prepare} chooses otherwise. At
    {!Weir_wire.Ip.any_v6} it takes IPv4 connections too, unless another listener is bound to that
    address or {!Weir_wire.Ip.any}. Listeners that all [share] (default [false]) may have the same
    port; each gets about the same number of connections. *)

val listener_address : listener -> Ip.t
(** [listener_address l] is {!Weir_wire.Ip.any} if [l] listens at every IPv4 address,
    {!Weir_wire.Ip.any_v6} if at every address of both families. *)

val listener_port : listener -> int

val set_prepare : listener -> (connection -> unit) -> unit
(** [set_prepare l f] makes [l] call [f] on each new connection before its handshake, to set
    options. *)

val iter_waiting : (connection -> unit) -> listener -> unit
(** [iter_waiting f l] calls [f] on each connection that waits for {!accept}, oldest first. *)

val accept : listener -> connection option
(** [accept l] is the oldest connection not yet accepted, even if it has ended since. *)

val intercept : t -> backlog:int -> listener
(** [intercept t ~backlog] listens at every address and port for which [t] has no other listener,
    addresses of other hosts included: see {!Stack.set_transparent}. {!accept} returns a connection
    as soon as its SYN has come. The caller then decides:
    - {!answer} continues the handshake, which {!want_connected} waits for;
    - {!abort} refuses the connection with a RST;
    - {!forget} drops the SYN, as a firewall does; the peer may send it again.

    Until then the SYN is not answered, and {!is_held} is true unless the peer gives up. While
    [backlog] connections are not yet accepted or not yet connected, SYNs are dropped and counted.
    {!close_listener} resets these connections.
    @raise Invalid_argument if [t] intercepts already. *)

val is_held : connection -> bool

val answer : connection -> unit
(** [answer c] sends the SYN-ACK of [c] if {!is_held}[ c]. *)

val close_listener : t -> listener -> unit
(** [close_listener t l] stops listening and resets the connections not yet accepted. Idempotent. *)

val close_listeners : t -> unit
(** [close_listeners t] closes all of them. *)

val connect :
  t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  mss:int ->
  (connection, [ `In_use | `No_port ]) result
(** [connect t …] (active OPEN) queues a SYN. [local_port] 0 takes a free one at random (RFC 6056).
*)

(** {1 Bytes of a connection} *)

val read : connection -> Bytes.t -> off:int -> len:int -> int
(** [read c b ~off ~len] moves unread bytes into [b] (RECEIVE) and returns their number. If it is 0,
    {!peer_finished} and {!state} tell whether more can come. *)

val unread : connection -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0). They stay
    unread, and unchanged, until they are taken by {!discard} or a read. *)

val unread_length : connection -> int
val has_unread : connection -> bool

val discard : connection -> int -> unit
(** [discard c n] drops [n] unread bytes, or all if there are fewer. *)

val with_unread : connection -> (Bytes.t -> int -> int -> int) -> int
(** [with_unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0). [f]
    returns how many it took; these become read. [f] must not change or keep [b]. *)

val write : connection -> Bytes.t -> off:int -> len:int -> int
(** [write c b ~off ~len] queues at most [len] bytes (SEND) and returns how many; 0 if there is no
    room now.
    @raise Invalid_argument after {!shutdown_send}. *)

val write_string : connection -> string -> off:int -> len:int -> int
(** [write_string c s ~off ~len] is {!write} of bytes of [s]. If they are many, they are not copied,
    and [s] is kept until the peer has acknowledged them. *)

val with_room : connection -> want:int -> (Bytes.t -> int -> int -> int) -> int
(** [with_room c ~want f] is [f b off len] for contiguous free space. [f] writes bytes there and
    returns how many; they are queued. *)

(** {1 Closing} *)

val shutdown_send : connection -> unit
(** [shutdown_send c] sends FIN after what is queued (CLOSE, half). Idempotent. *)

val shutdown_receive : connection -> unit
(** [shutdown_receive c] makes a read find the end once the received bytes are read. Bytes that
    arrive later can still be read. If {!shutdown_send} was called too, they reset the connection
    (RFC 1122 §4.2.2.13). Both are as on Linux. Idempotent. *)

val close : t -> connection -> unit
(** [close t c] closes [c]: queued bytes are still sent, then FIN. If there are unread bytes, RST is
    sent at once (RFC 2525 §2.17). Idempotent. *)

val abort : t -> connection -> unit
(** [abort t c] sends RST and ends [c] (ABORT). Idempotent. *)

val forget : connection -> unit
(** [forget c] ends [c] and sends nothing to the peer. *)

(** {1 Options} *)

val nodelay : connection -> bool
val set_nodelay : connection -> bool -> unit
val keepalive : connection -> Config.keepalive option
val set_keepalive : connection -> Config.keepalive option -> unit
val user_timeout : connection -> Config.user_timeout option

val user_timeout_ns : connection -> int
(** [user_timeout_ns c] is the time in force, which the peer's option may have made longer;
    {!Weir_base.Time.never} if there is none. *)

val set_user_timeout : connection -> Config.user_timeout option -> unit
(** [set_user_timeout c u] sets the user timeout (RFC 5482, TCP_USER_TIMEOUT). *)

val set_send_buffer : connection -> int -> unit
(** [set_send_buffer c n] bounds unacknowledged and unsent bytes by [n] from now on. *)

val set_receive_buffer : connection -> int -> unit
(** [set_receive_buffer c n] sets the receive buffer to [n] bytes, at most what the window scale can
    express. It then no longer grows by itself. *)

val set_sharing : connection -> reuse:bool -> share:bool -> unit
(** [set_sharing c ~reuse ~share] sets whether the port may be bound again by others that set
    [reuse] (SO_REUSEADDR) or [share] (SO_REUSEPORT). *)

val set_congestion : connection -> Congestion.algorithm -> unit
(** [set_congestion c a] changes the congestion control algorithm to [a] and keeps the window. It
    does nothing if [c] already uses [a]. *)

(** {1 State} *)

val id : connection -> int
(** [id c] is a number that no other connection of the host has. *)

val state : connection -> state
(** [state c] stays TIME-WAIT when the wait is over. *)

val error : connection -> error option
(** [error c] is why [c] ended before both sides had closed it. *)

val irs : connection -> int
(** [irs c] is the sequence number of the peer's SYN (RFC 9293 §3.3.1). *)

val local : connection -> Ip.t
val local_port : connection -> int
val remote : connection -> Ip.t
val remote_port : connection -> int

val connected : connection -> bool
(** [connected c] is true once the handshake is over or has failed. *)

val peer_finished : connection -> bool
(** [peer_finished c] is true once every byte up to the peer's FIN has been received. *)

val peer_has_all : connection -> bool
(** [peer_has_all c] is true once the user has closed and the peer has acknowledged all data and our
    FIN, or once the connection has failed. *)

val receive_over : connection -> bool
(** [receive_over c] is true if {!peer_finished}[ c], or if the user called {!shutdown_receive}. *)

val send_over : connection -> bool
(** [send_over c] is true if {!shutdown_send} was called. *)

val owes_ack : connection -> bool
(** [owes_ack c] is true if an ACK must be sent at once, such as a window update after a read. *)

val mss : connection -> int
(** [mss c] is how many bytes of data a segment of [c] has at most, without its options. *)

val path_mtu : connection -> int
(** [path_mtu c] is the longest IP packet for the path to [c]'s peer, as far as is known: see
    {!Tcp_path}. *)

val receive_limit : connection -> int
(** [receive_limit c] is the current bound on unread bytes. *)

val unacknowledged_length : connection -> int
(** [unacknowledged_length c] is how many written bytes are not acknowledged, sent or not. *)

val srtt_ns : connection -> int
(** [srtt_ns c] is the smoothed round-trip time, below 0 if none was measured. *)

val congestion_window : connection -> int
(** [congestion_window c] is in bytes. *)

val retransmitted : connection -> int
(** [retransmitted c] is the number of retransmitted segments. *)

val info : connection -> Tcp_info.t
(** [info c] is what an observer sees of [c] now. *)

(** {1 Waiting}

    Each registration gives one event. *)

val want_readable : connection -> unit
(** [want_readable c] asks for an event when a read will return at once: bytes, the end or an error
    have come. *)

val want_writable : connection -> unit
(** [want_writable c] asks for an event when there is enough room to write. *)

val want_connected : connection -> unit
val want_peer_has_all : connection -> unit

val set_wake : connection -> (unit -> unit) -> unit
(** [set_wake c f] stores [f]. The driver calls [f ()] after an event of [c], to wake its user; the
    stack itself never calls it. [f] must not raise. *)

val wake : connection -> unit -> unit
(** [wake c] is the function set last; by default it does nothing. *)

val set_listener_wake : listener -> (unit -> unit) -> unit
(** As {!set_wake}. *)

val listener_wake : listener -> unit -> unit

(** {1 The state machine} *)

val input : t -> Packet.t -> mss:int -> Segment.t -> Bytes.t -> data:int -> unit
(** [input t p ~mss h b ~data] processes the segment [h] of a packet addressed to us, of which [p]
    gives the addresses; its data begin at [data] in [b]. [mss] is what a new connection to its
    sender may send and receive in a segment. *)

val unreachable :
  t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  seq:int ->
  hard:bool ->
  Icmp_error.t ->
  unit
(** [unreachable t … ~seq ~hard message] processes an ICMP error or a failure in the neighbour
    table, about our segment with sequence number [seq]. A [hard] error ends a connection in
    SYN-SENT (RFC 9293 §3.9.2.2). In all other cases the connection goes on (MUST-56, RFC 5927 §5);
    if it then times out, this is its error. *)

val packet_too_big :
  t ->
  local:Ip.t ->
  local_port:int ->
  remote:Ip.t ->
  remote_port:int ->
  seq:int ->
  mtu:int ->
  length:int ->
  unit
(** [packet_too_big t … ~seq ~mtu ~length] is a router's report about our packet of [length] bytes
    with sequence number [seq]: see {!Tcp_path.too_big}. *)

val now : t -> Weir_base.Time.t
(** [now t] is the time that {!advance} set. *)

val advance : t -> now:Weir_base.Time.t -> unit
(** [advance t ~now] sets the time to [now]. An earlier time than before is ignored. *)

val tick : t -> unit
(** [tick t] runs the timers that are due. *)

val deadline : t -> Weir_base.Time.t

val next_segment : t -> Bytes.t -> off:int -> int
(** [next_segment t b ~off] writes one segment of the first connection in the output queue and
    returns its length; 0 if no connection has anything to send. The addresses are {!last_src} and
    {!last_dst}. Between [off] and the segment there is room for their IP header. *)

val last_src : t -> Ip.t
val last_dst : t -> Ip.t

val last_is_partial : t -> bool
(** [last_is_partial t] is true if the checksum of the last segment of {!next_segment} is
    {!Weir_base.Frame.Partial}. *)

val last_segment_size : t -> int
(** [last_segment_size t] is the data in each segment of the last frame, 0 if it was one segment. *)

val last_ecn : t -> int
(** [last_ecn t] is the ECN codepoint of that segment's packet: 0 or {!Weir_wire.Packet.ect_0}. *)

val last_tail : t -> int
(** [last_tail t] is how many bytes at the end of that segment are not in the buffer but still in
    the send ring, for a link that {!Offload.t.gathers}; 0 for most. *)

val give_tail : t -> Weir_base.Frame.t -> unit
(** [give_tail t frame] makes the bytes of {!last_tail} the tail of [frame], until [t] next changes.
*)

val copy_tail : t -> Bytes.t -> off:int -> unit
(** [copy_tail t b ~off] copies the bytes of {!last_tail} to [off] in [b]; {!last_tail} is then 0.
*)

val forget_tail : t -> unit
(** [forget_tail t] makes {!last_tail} 0. *)

val longest_next : t -> int
(** [longest_next t] is an estimate of the most bytes that {!next_segment} writes. With less room it
    writes one segment of at most the MSS. *)

val set_paths : t -> Tcb.paths -> unit
(** [set_paths t p] makes TCP use the offloads that [p] gives for each peer. *)

val iter : (connection -> unit) -> t -> unit

type event = Connection of connection | Listener of listener | Nothing

val event : t -> event
(** [event t] removes and returns the next event: see {!Stack.val-event}. *)

(** For the tests of this library only: what the abstract types hide. *)
module Private : sig
  val tcb : connection -> Tcb.t
  val connection : Tcb.t -> connection
  val tcb_listener : listener -> Tcb.listener
  val shared : t -> Tcb.shared

  val waits : t -> Tcb.t -> bool
  (** [waits t c]: the host remembers [c], or another with its addresses and ports, in TIME-WAIT. *)
end
