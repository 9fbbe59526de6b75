(** TCP for one host: the user calls of RFC 9293 §3.9.1, the tables, and the demultiplexing of
    segments (§3.10.7.1 CLOSED, §3.10.7.2 LISTEN).

    Nothing here waits: a call that cannot go on says so, and the caller states what it waits for
    ([want_readable] and friends in {!Tcb.t}) and looks at [Stack.event]s. *)

open Weir_wire

type t
type connection = Tcb.t
type listener = Tcb.listener

val create :
  Config.t ->
  Counters.t ->
  Random.State.t ->
  reply:(src:Ip4.t -> dst:Ip4.t -> Segment.t -> unit) ->
  t
(** [create config counters random ~reply]: [reply ~src ~dst h] must queue the segment [h], which
    has no data: a RST, or a SYN's answer by cookie. *)

val shared : t -> Tcb.shared

val length : t -> int
(** [length t] is the number of connections in any state but CLOSED. *)

(** {1 User calls} *)

val may_bind : ?share:bool -> t -> address:Ip4.t -> port:int -> reuse:bool -> bool
(** [may_bind t ~address ~port ~reuse]: nobody listens at [port] of [address], but for those that
    [share] it if the new one does, and no connection is there in any state but those that [reuse]
    the port, or [share] it, as the new one does. True for port 0. *)

val listen :
  ?share:bool ->
  t ->
  address:Ip4.t ->
  port:int ->
  backlog:int ->
  reuse:bool ->
  (listener, [ `In_use | `No_port ]) result
(** [listen t ~address ~port ~backlog ~reuse] (passive OPEN) where {!may_bind} allows it. Port 0
    takes a free one. While [backlog] connections wait to be accepted SYNs are not answered; those
    answered before get in all the same. Of half-open connections at most [backlog], or
    [Config.max_half_open] if that is more, are kept; beyond, SYNs are answered by {!Syn_cookies}.
    Connections have the listener's [reuse] and [share], unless its [prepare] chooses otherwise.
    Listeners that all [share] (default [false]) may have the same port, and get about as many
    connections each. *)

val accept : listener -> connection option
(** [accept l] is the oldest connection not yet accepted, also if it has ended meanwhile. *)

val close_listener : t -> listener -> unit
(** [close_listener t l] refuses what is to come and resets what nobody accepted. Idempotent. *)

val close_listeners : t -> unit
(** [close_listeners t] closes all of them. *)

val connect :
  t ->
  local:Ip4.t ->
  local_port:int ->
  remote:Ip4.t ->
  remote_port:int ->
  mss:int ->
  (connection, [ `In_use | `No_port ]) result
(** [connect t …] (active OPEN) queues a SYN. [local_port] 0 takes a free one at random (RFC 6056).
*)

include module type of Tcp_user
(** Bytes to and from a connection. *)

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

val set_keepalive : connection -> Config.keepalive option -> unit

val set_send_buffer : connection -> int -> unit
(** [set_send_buffer c n] bounds unacknowledged and unsent bytes by [n] from now on. *)

val set_receive_buffer : connection -> int -> unit
(** [set_receive_buffer c n] makes [n] bytes, or what the window scale can express, the receive
    buffer, which then does not grow with its reader. *)

val set_nodelay : connection -> bool -> unit

val set_congestion : connection -> Congestion.algorithm -> unit
(** [set_congestion c a] has [c] go by [a] from now on, from the window as it is; nothing if it does
    already. *)

(** {1 The machine} *)

val input : t -> src:Ip4.t -> dst:Ip4.t -> mss:int -> Segment.t -> Bytes.t -> data:int -> unit
(** [input t ~src ~dst ~mss h b ~data] processes a segment addressed to us; [mss] is what a new
    connection to [src] may send and receive in a segment. *)

val unreachable :
  t ->
  local:Ip4.t ->
  local_port:int ->
  remote:Ip4.t ->
  remote_port:int ->
  seq:int ->
  hard:bool ->
  Weir_wire.Icmpv4.t ->
  unit
(** [unreachable t … ~seq ~hard message]: ICMP or the neighbour table says so of a segment of ours
    with number [seq]. A [hard] error ends a connection in SYN-SENT (RFC 9293 §3.9.2.2). Any other
    ends nothing (MUST-56, RFC 5927 §5), but if the segment and its repetitions time out, it is the
    connection's error. *)

val tick : t -> unit
(** [tick t] runs the timers due at [shared.now]. *)

val deadline : t -> Weir_base.Time.t

val next_segment : t -> Bytes.t -> off:int -> int
(** [next_segment t b ~off] writes one segment of the connection that is first in the output queue;
    its length, or 0 if no connection has anything to send. The addresses are {!last_src} and
    {!last_dst}. *)

val last_src : t -> Ip4.t
val last_dst : t -> Ip4.t
val output_pending : t -> bool
val iter : (connection -> unit) -> t -> unit
