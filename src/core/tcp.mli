(** TCP for one host: the user calls of RFC 9293 §3.9.1, the tables, and the demultiplexing of
    segments (§3.10.7.1 CLOSED, §3.10.7.2 LISTEN).

    Nothing here waits: a call that cannot go on says so, the caller states what it waits for
    ({!want_readable} and its like), and is woken when a [Stack.event] says that it may have come.
*)

open Weir_wire

type t

type connection
(** What it holds is known to the core only ({!Tcb.t}); the functions below ask and set it. *)

type listener
type state = Tcb.state
type error = Tcb.error

val pp_state : Format.formatter -> state -> unit
val pp_error : Format.formatter -> error -> unit

val create :
  Config.t -> Counters.t -> Random.State.t -> reply:(src:Ip.t -> dst:Ip.t -> Segment.t -> unit) -> t
(** [create config counters random ~reply]: [reply ~src ~dst h] must queue the segment [h], which
    has no data: a RST, or a SYN's answer by cookie. *)

val length : t -> int
(** [length t] is the number of connections in any state but CLOSED. *)

val budget : t -> Weir_base.Budget.t
(** [budget t] is what bounds the host's buffers. *)

val usage : t -> Usage.tcp
(** [usage t] looks at each connection once. *)

(** {1 User calls} *)

val may_bind : ?share:bool -> t -> address:Ip.t -> port:int -> reuse:bool -> bool
(** [may_bind t ~address ~port ~reuse]: nobody listens at [port] of [address], but for those that
    [share] it if the new one does, and no connection is there in any state but those that [reuse]
    the port, or [share] it, as the new one does. True for port 0. *)

val listen :
  ?share:bool ->
  t ->
  address:Ip.t ->
  port:int ->
  backlog:int ->
  reuse:bool ->
  (listener, [ `In_use | `No_port ]) result
(** [listen t ~address ~port ~backlog ~reuse] (passive OPEN) where {!may_bind} allows it. Port 0
    takes a free one. While [backlog] connections wait to be accepted SYNs are not answered; those
    answered before get in all the same. Of half-open connections at most [backlog], or
    [Config.max_half_open] if that is more, are kept; beyond, SYNs are answered by {!Syn_cookies}.
    Connections have the listener's [reuse] and [share], unless {!set_prepare} chooses otherwise.
    Listeners that all [share] (default [false]) may have the same port, and get about as many
    connections each. *)

val listener_address : listener -> Ip.t
(** [listener_address l] is {!Weir_wire.Ip.any} for all. *)

val listener_port : listener -> int

val set_prepare : listener -> (connection -> unit) -> unit
(** [set_prepare l f]: from now on [f] sets the options of each new connection of [l], before its
    handshake. *)

val iter_waiting : (connection -> unit) -> listener -> unit
(** [iter_waiting f l] calls [f] with each connection that waits for {!accept}, the oldest first. *)

val accept : listener -> connection option
(** [accept l] is the oldest connection not yet accepted, also if it has ended meanwhile. *)

val close_listener : t -> listener -> unit
(** [close_listener t l] refuses what is to come and resets what nobody accepted. Idempotent. *)

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
(** [read c b ~off ~len] moves unread bytes into [b] (RECEIVE); 0 if there are none now: then
    {!peer_finished} or {!state} tell whether there will be. *)

val unread : connection -> (Bytes.t -> int -> int -> 'a) -> 'a
(** [unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0). They stay
    unread, and unchanged, until they are taken by {!discard} or a read. *)

val unread_length : connection -> int
val has_unread : connection -> bool

val discard : connection -> int -> unit
(** [discard c n] reads [n] bytes, or all that there are, to no place. *)

val with_unread : connection -> (Bytes.t -> int -> int -> int) -> int
(** [with_unread c f] is [f b off len] for the first contiguous unread bytes ([len] may be 0), of
    which [f] says how many it took; they are then read. [b] must not be changed or kept. *)

val write : connection -> Bytes.t -> off:int -> len:int -> int
(** [write c b ~off ~len] queues at most [len] bytes (SEND), the number taken; 0 if there is no room
    now.
    @raise Invalid_argument after {!shutdown_send}. *)

val with_room : connection -> want:int -> (Bytes.t -> int -> int -> int) -> int
(** [with_room c ~want f] is [f b off len] for contiguous free space, into which [f] puts bytes and
    says how many. *)

(** {1 Its end} *)

val shutdown_send : connection -> unit
(** [shutdown_send c] sends FIN after what is queued (CLOSE, half). Idempotent. *)

val shutdown_receive : connection -> unit
(** [shutdown_receive c]: once what has come is read, reading finds the end. Bytes that come later
    may still be read; once {!shutdown_send} was called too, they reset the connection (RFC 1122
    §4.2.2.13), as Linux has both. Idempotent. *)

val close : t -> connection -> unit
(** [close t c]: the user is done. Queued bytes are still sent, then FIN; but RST at once if unread
    bytes are lost by it (RFC 2525 §2.17). Idempotent. *)

val abort : t -> connection -> unit
(** [abort t c] sends RST and forgets [c] (ABORT). Idempotent. *)

val forget : connection -> unit
(** [forget c] ends [c] without a word to the peer. *)

(** {1 Its options} *)

val nodelay : connection -> bool
val set_nodelay : connection -> bool -> unit
val keepalive : connection -> Config.keepalive option
val set_keepalive : connection -> Config.keepalive option -> unit

val set_send_buffer : connection -> int -> unit
(** [set_send_buffer c n] bounds unacknowledged and unsent bytes by [n] from now on. *)

val set_receive_buffer : connection -> int -> unit
(** [set_receive_buffer c n] makes [n] bytes, or what the window scale can express, the receive
    buffer, which then does not grow with its reader. *)

val set_sharing : connection -> reuse:bool -> share:bool -> unit
(** [set_sharing c ~reuse ~share]: its port may be bound again by those that say [reuse]
    (SO_REUSEADDR) or [share] (SO_REUSEPORT) too. *)

val set_congestion : connection -> Congestion.algorithm -> unit
(** [set_congestion c a] has [c] go by [a] from now on, from the window as it is; nothing if it does
    already. *)

(** {1 What is known of it} *)

val id : connection -> int
(** [id c] is a number that no other connection of the host has. *)

val state : connection -> state

val error : connection -> error option
(** [error c] is why [c] ended before both sides had closed it. *)

val local : connection -> Ip.t
val local_port : connection -> int
val remote : connection -> Ip.t
val remote_port : connection -> int

val connected : connection -> bool
(** [connected c]: the handshake is over, or has failed. *)

val peer_finished : connection -> bool
(** [peer_finished c]: every byte up to the peer's FIN has been received. *)

val peer_has_all : connection -> bool
(** [peer_has_all c]: the user has closed, and the peer acknowledged all that was sent and our FIN;
    or the connection failed. *)

val receive_over : connection -> bool
(** [receive_over c]: {!peer_finished}, or the user called {!shutdown_receive}. *)

val send_over : connection -> bool
(** [send_over c]: {!shutdown_send} was called. *)

val owes_ack : connection -> bool
(** [owes_ack c]: a segment is due to the peer at once, such as a window update after a read. *)

val mss : connection -> int
(** [mss c] is how many bytes of data a segment takes, options taken off. *)

val receive_limit : connection -> int
(** [receive_limit c] is what bounds unread bytes for now. *)

val unacknowledged_length : connection -> int
(** [unacknowledged_length c] is how many bytes were written and not acknowledged, sent or not. *)

val srtt_ns : connection -> int
(** [srtt_ns c] is the smoothed round-trip time, below 0 if none was measured. *)

val congestion_window : connection -> int
(** [congestion_window c] is in bytes. *)

val retransmitted : connection -> int
(** [retransmitted c] is how many segments were sent again. *)

(** {1 Waiting}

    Each wish holds until it is granted once: then an event says so. *)

val want_readable : connection -> unit
(** [want_readable c]: the user waits until a read returns at once. *)

val want_writable : connection -> unit
(** [want_writable c]: the user waits for room that is worth waking it. *)

val want_connected : connection -> unit
val want_peer_has_all : connection -> unit

val set_wake : connection -> (unit -> unit) -> unit
(** [set_wake c f]: [f ()] is what a driver calls after an event of [c], to wake its user. The stack
    only keeps it. It must not raise. *)

val wake : connection -> unit -> unit
(** [wake c] is what was set last; at first it does nothing. *)

val set_listener_wake : listener -> (unit -> unit) -> unit
(** As {!set_wake}. *)

val listener_wake : listener -> unit -> unit

(** {1 The machine} *)

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
  Weir_wire.Icmpv4.t ->
  unit
(** [unreachable t … ~seq ~hard message]: ICMP or the neighbour table says so of a segment of ours
    with number [seq]. A [hard] error ends a connection in SYN-SENT (RFC 9293 §3.9.2.2). Any other
    ends nothing (MUST-56, RFC 5927 §5), but if the segment and its repetitions time out, it is the
    connection's error. *)

val advance : t -> now:Weir_base.Time.t -> unit
(** [advance t ~now]: it is [now]; time that goes back is ignored. *)

val tick : t -> unit
(** [tick t] runs the timers that are due. *)

val deadline : t -> Weir_base.Time.t

val next_segment : t -> Bytes.t -> off:int -> int
(** [next_segment t b ~off] writes one segment of the connection that is first in the output queue;
    its length, or 0 if no connection has anything to send. The addresses are {!last_src} and
    {!last_dst}. *)

val last_src : t -> Ip.t
val last_dst : t -> Ip.t

val last_is_partial : t -> bool
(** [last_is_partial t]: that segment's checksum is {!Weir_base.Frame.Partial}. *)

val last_segment_size : t -> int
(** [last_segment_size t] is the data in each segment for which that one stands, 0 if it is one. *)

val longest_next : t -> int
(** [longest_next t] is how many bytes {!next_segment} may write at most, about: with less room it
    writes a segment of the MSS. *)

val set_paths : t -> Tcb.paths -> unit
(** [set_paths t p]: segments to a peer may be as the link's device has them by [p]. *)

val output_pending : t -> bool
val iter : (connection -> unit) -> t -> unit

type event = Connection of connection | Listener of listener | Nothing

val event : t -> event
(** [event t] takes the next event out, as {!Stack.val-event} tells it. *)

(** For the tests of this library only: what the abstract types hide. *)
module Private : sig
  val tcb : connection -> Tcb.t
  val connection : Tcb.t -> connection
  val tcb_listener : listener -> Tcb.listener
  val shared : t -> Tcb.shared
end
