(** What a host remembers of connections in TIME-WAIT, and how it answers their peers: RFC 9293
    §3.10.7.4 for this state, RFC 1337, RFC 6191. One takes about 300 bytes. The connection itself
    is no longer in the host's tables when it is here. *)

open Weir_base
open Weir_wire

type t

type wait = private {
  local : Ip.t;
  local_key : int;  (** {!Ip.key} *)
  local_port : int;
  remote : Ip.t;
  remote_key : int;
  remote_port : int;
  reuse : bool;  (** as in {!Tcb.t} *)
  share : bool;
  snd_nxt : Seq.t;  (** the peer has acknowledged all before it *)
  rcv_nxt : Seq.t;
  rcv_wnd : int;  (** what was advertised last *)
  rcv_scale : int;
  max_snd_wnd : int;
  ts_offset : int;
  mutable ts_recent : int;  (** -1 without timestamps *)
  mutable since : Time.t;  (** when the wait began or began again; it lasts 2 MSL *)
  mutable slot : int;  (** in the heap of timers *)
  mutable challenge_at : Time.t;
  mutable challenges : int;  (** challenge ACKs sent since [challenge_at] *)
}

val create : secret:int -> Tcb.shared -> t
val length : t -> int

val cost : int
(** Bytes that each takes from the budget. *)

val add : t -> Tcb.t -> unit
(** [add t c] remembers [c] for 2 MSL from now. If there are more than [Config.max_time_wait] now,
    the one that would end first is forgotten. *)

val find : t -> Packet.t -> local_port:int -> remote_port:int -> wait option
(** [find t p ~local_port ~remote_port] is the connection for a segment in [p]: [p] is from its
    remote address to its local address. *)

val forget : t -> wait -> unit

val forget_oldest : t -> bool
(** [forget_oldest t] forgets the one that would end first; false if there is none. *)

val may_reuse : t -> wait -> bool
(** [may_reuse t w]: a new connection from this host may take the place of [w], because a second has
    passed and timestamps tell the two apart. *)

type verdict =
  | Nothing
  | Acknowledge  (** the answer is {!acknowledgement} *)
  | New_connection  (** a SYN that is certainly newer *)

val segment : t -> wait -> Segment.t -> verdict
(** [segment t w h] is what a segment from the peer of [w] causes. A FIN starts the wait again; a
    RST does not end it. *)

val acknowledgement : t -> wait -> Segment.t

val deadline : t -> Time.t
(** [deadline t] is when {!expire} has something to do, [Time.never] if there is nothing. *)

val expire : t -> unit
(** [expire t] forgets those whose wait is over. *)

val exists : (wait -> bool) -> t -> bool
