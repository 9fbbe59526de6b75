(** The loop of a host without its scheduler: {!Weir_core.Stack} turned over a link.

    A driver calls {!step} when the link has frames, {!flush} or {!wrote} after every call that it
    makes on the stack, and {!run_due} when the time has come that {!sleep_until} gave. Each runs to
    completion: frames are taken in, timers run, what is to be sent leaves in one batch. Then those
    who wait are to be told: {!tell}, or {!next_call} one by one.

    One call at a time: a driver that several domains use holds a lock around each, but not while it
    makes the calls of {!next_call}. *)

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
    are the names it knows. [rearm] is to be called (see {!next_call}) when the driver sleeps longer
    than it may: it must then see to it that {!sleep_until} is asked again. *)

val stack : t -> Stack.t

val add_link : t -> mac:Weir_wire.Mac.t -> Weir_link.Link.t -> Interface.t
(** [add_link t ~mac link] is another interface, on [link], which [t] owns from now on; the driver
    has to see to its readiness, too.
    @raise Invalid_argument once {!release} was called. *)

val link : t -> Weir_link.Link.t
(** [link t] is the first. *)

val links : t -> Weir_link.Link.t array
(** [links t] are all, by the number of their interface. *)

val has_carrier : t -> bool
(** [has_carrier t]: something sent by one of them may still reach somebody. *)

val hosts : t -> (string * Ipaddr.t) list

(** {1 Running} *)

val step : t -> now:Time.t -> bool
(** [step t ~now] takes in a batch of frames, runs what is due and flushes; [true] if more frames
    may be waiting: then call it again once others had their turn. *)

val flush : t -> now:Time.t -> unit
(** [flush t ~now] sends what the stack has to send. *)

val wrote : ?by:Time.t -> t -> unit
(** [wrote t] is for a user who has written and may go on to write: the driver will {!flush} soon.
    The instant [by] moreover counts as a deadline, at which that is done if it was not before. *)

val flush_due : t -> bool
(** [flush_due t]: {!wrote} was called since the last {!flush}. *)

val run_due : t -> now:Time.t -> unit
(** [run_due t ~now] runs what is due, if anything is. The driver's timer calls it when it wakes,
    and then {!sleep_until}; until then [rearm] is not called. *)

val sleep_until : t -> Time.t
(** [sleep_until t] is when {!run_due} must be called, at the latest; [Time.never] if not at all. A
    deadline that moves later is not told: {!run_due} then finds nothing to do. *)

(** {2 Telling} *)

val next_call : t -> unit -> unit
(** [next_call t] is the next function that the driver has to call, or {!no_call}: what was hung on
    a connection, listener or socket ({!Weir_core.Tcp.set_wake}) of which the stack told an event.
    It may call back into the host. *)

val no_call : unit -> unit
(** Compared by [==]. *)

val call : t -> (unit -> unit) -> unit
(** [call t f] has {!next_call} give [f]. *)

val tell : t -> unit
(** [tell t] calls all of them. *)

(** {1 The end} *)

val close_connection : ?abort:bool -> t -> now:Time.t -> Tcp.connection -> unit
(** [close_connection t ~now c] is {!Weir_core.Tcp.close}, or with [abort] (default [false])
    {!Weir_core.Tcp.abort}, of [c]; what its user {!wrote} is sent before a reset, as far as windows
    allow. *)

val close_all : t -> now:Time.t -> Tcp.connection list
(** [close_all t ~now] closes every connection; those whose peers did not have all before. *)

val still_live : Tcp.connection list -> Tcp.connection list
(** [still_live l] is [l] from the first connection on whose peer has yet to acknowledge all. *)

val sent_all : t -> bool
(** [sent_all t]: no packet waits for its turn or for a neighbour's address. *)

val on_ended : t -> (unit -> unit) -> unit
(** [on_ended t f]: [f ()] is called when a connection's peer has all. The last [f] counts. *)

val release : t -> now:Time.t -> unit
(** [release t ~now] resets every connection, but those whose peers have acknowledged all, closes
    listeners and sockets, whose users are told, and the link. Idempotent. *)

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
