(** A scripted peer: one real TCP under virtual time, segments written by hand, and a trace of all
    that crosses.

    Numbers in scripts and traces are relative: the peer's first sequence number is 0, and so is the
    host's. *)

open Weir_core
open White_box

type t
type family = V4 | V6

val host : ?family:family -> ?config:Config.t -> ?backlog:int -> unit -> t
(** [host ()] listens on port 80; the peer speaks from port 5000, over IPv4 by default. Nothing is
    paced: scripts say what the windows let out. Buffers are of 1 MB at most. *)

val note : t -> string -> unit
(** [note t s] writes a heading into the trace. *)

type flag = S | F | R | P | E  (** ECE *) | W  (** CWR *)

val send :
  t ->
  ?port:int ->
  ?flags:flag list ->
  ?ack:int ->
  ?win:int ->
  ?data:string ->
  ?mss:int ->
  ?ws:int ->
  ?ts:int * int ->
  ?sackok:bool ->
  ?sacks:(int * int) list ->
  ?mark:int ->
  ?uto:int ->
  int ->
  unit
(** [send t seq] delivers a segment with relative [seq] and [ack] (no ACK flag without it) and lets
    the host answer. [ts] is (value, echo), absolute; the echo [-1] means the host's last value.
    [sacks] are relative, as [ack] is. [mark] is the packet's ECN codepoint, [uto] the user timeout
    option in seconds. *)

val icmp : t -> Weir_wire.Icmpv4.t -> int -> unit
(** [icmp t error seq]: a router sends [error] about the host's segment with number [seq]. *)

val after : t -> int -> unit
(** [after t ms] advances the time, running timers when they are due, and lets the host send. *)

val connect : t -> unit
(** [connect t] makes the host open a connection to the peer's port 5000. *)

val established : ?win:int -> ?mss:int -> ?ws:int -> ?ts:bool -> ?sackok:bool -> t -> unit
(** [established t] is the three-way handshake with the host as server; the host accepts. *)

val connection : t -> Tcb.t
val write : t -> string -> unit

val read : t -> int -> unit
(** [read t n] reads at most [n] bytes and traces them. *)

val shutdown : t -> unit
val close : t -> unit
val abort : t -> unit
val state : t -> unit

val host_state : t -> Tcb.state
(** [state t] traces the connection's state, and its error if it has one. *)

val window : t -> unit
(** [window t] traces cwnd, and ssthresh if there is one. *)

val tcp : t -> Tcp.t
val trace : t -> string

type over_v6 =
  | Same
  | Own  (** lengths that depend on the family *)
  | Never  (** messages of ICMP for IPv4 *)

val case : ?over_v6:over_v6 -> ?config:Config.t -> string -> (t -> unit) -> Weir_test.Suite.case
(** [case name script] runs [script] on a {!host} of IPv4, whose trace must be that of
    [traces/name.expected], and on one of IPv6, whose trace must be the [Same] (the default), or
    that of [traces/name.v6.expected] if it has its [Own]. *)

val last_ts : t -> int
(** [last_ts t] is the timestamp that the host sent last. *)
