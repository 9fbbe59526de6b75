(** The loop of a host without its scheduler: {!Weir_core.Stack} turned over a link.

    A driver calls {!turn} when the link has frames, {!flush} after every call that it makes on the
    stack, and {!run_due} when the time has come that {!sleep_until} gave. Each runs to completion:
    frames are taken in, timers run, what is to be sent leaves in one batch, and only then are those
    who wait told, so that no packet costs a switch of threads. *)

open Weir_base
open Weir_core

type t

val create :
  random:Random.State.t ->
  hosts:(string * Ipaddr.t) list ->
  rearm:(unit -> unit) ->
  now:Time.t ->
  Weir_link.Link.t ->
  Stack.settings ->
  t
(** [create ~random ~hosts ~rearm ~now link settings] is a host on [link], which it owns. [hosts]
    are the names it knows. [rearm ()] is called when the driver sleeps longer than it may: it must
    then see to it that {!sleep_until} is asked again. *)

val stack : t -> Stack.t
val link : t -> Weir_link.Link.t
val hosts : t -> (string * Ipaddr.t) list

(** {1 Whom to wake} *)

val own_connection : Tcp.connection -> (unit -> unit) -> unit
(** [own_connection c wake]: [wake ()] is called when what [c]'s user waits for may have come. It
    must not raise, and what it wakes may call back into the host. *)

val own_listener : Tcp.listener -> (unit -> unit) -> unit
val own_datagrams : Udp_sockets.socket -> (unit -> unit) -> unit

(** {1 Running} *)

val turn : t -> now:Time.t -> bool
(** [turn t ~now] takes in a batch of frames, runs what is due and flushes; [true] if more frames
    may be waiting: then call it again once others had their turn. *)

val flush : t -> now:Time.t -> unit
(** [flush t ~now] sends what the stack has to send and tells what has happened. *)

val run_due : t -> now:Time.t -> unit
(** [run_due t ~now] runs what is due, if anything is. The driver's timer calls it when it wakes,
    and then {!sleep_until}; until then [rearm] is not called. *)

val sleep_until : t -> Time.t
(** [sleep_until t] is when {!run_due} must be called, at the latest; [Time.never] if not at all. A
    deadline that moves later is not told: {!run_due} then finds nothing to do. *)

(** {1 The end} *)

val finished : Tcp.connection -> bool
(** [finished c]: the peer has acknowledged all that was sent, or the connection failed. *)

val close_all : t -> now:Time.t -> Tcp.connection list
(** [close_all t ~now] closes every connection; those whose peers have yet to acknowledge. *)

val on_ended : t -> (unit -> unit) -> unit
(** [on_ended t f]: [f ()] is called when a connection becomes {!finished}. The last [f] counts. *)

val release : t -> now:Time.t -> unit
(** [release t ~now] resets every connection and closes the link. Idempotent. *)

val is_released : t -> bool

(** {1 Echo} *)

type pong = Reply of { bytes : int; ttl : int; rtt_ns : int } | Failed of string | Lost

val ping :
  t ->
  now:(unit -> Time.t) ->
  data_length:int ->
  sequence:int ->
  Ipaddr.V4.t ->
  (pong -> unit) ->
  unit ->
  unit
(** [ping t ~now ~data_length ~sequence a answered] sends an ICMP echo request; [answered p] is
    called when the answer comes, or at once with [Failed] if it cannot be sent. The result, called,
    gives up waiting: it must be called in the end. *)
