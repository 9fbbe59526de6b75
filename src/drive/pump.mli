(** The loop of a host without a scheduler: it runs {!Weir_core.Stack} over a link.

    A driver calls {!step} when the link has frames, {!flush} or {!wrote} after every call on the
    stack, and {!run_due} at the instant of {!sleep_until}. Each call runs to completion: it
    processes frames, runs timers, and sends all output in one batch. Afterwards the driver wakes
    the users that wait: all with {!tell}, or one by one with {!next_call}.

    One call at a time: a driver that several domains use holds a lock around each, but not while it
    makes the calls of {!next_call}. *)

open Weir_base
open Weir_core

type t

val create :
  ?spin_ns:Time.t ->
  random:Random.State.t ->
  hosts:(string * Ipaddr.t) list ->
  rearm:(unit -> unit) ->
  now:Time.t ->
  Weir_link.Link.t ->
  Stack.settings ->
  t
(** [create ~random ~hosts ~rearm ~now link settings] is a host on [link], which it owns. [hosts] is
    its table of names. {!next_call} returns [rearm] when the driver would sleep too long: [rearm]
    must make the driver call {!sleep_until} again. [spin_ns] is how long {!spins} may stay true at
    a time, by default {!Spin.default_ns}. *)

val stack : t -> Stack.t

val add_link : t -> mac:Weir_wire.Mac.t -> Weir_link.Link.t -> Interface.t
(** [add_link t ~mac link] adds an interface on [link], which [t] now owns. The driver must watch
    its readiness too.
    @raise Invalid_argument once {!release} was called. *)

val join : t -> Exchange.seat -> unit
(** [join t seat] makes [t] one of several hosts with the same address. Call it before anything
    else. Their links must be the queues of one device, and their settings the same.
    @raise Invalid_argument if [t] has several links. *)

val link : t -> Weir_link.Link.t
(** [link t] is the first link. *)

val links : t -> Weir_link.Link.t array
(** [links t] is all links, by the number of their interface. *)

val has_carrier : t -> bool
(** [has_carrier t] is true if at least one link has a carrier. *)

val hosts : t -> (string * Ipaddr.t) list

(** {1 Names by DNS}

    {!Lookup} has the functions for users. *)

val set_resolvers : t -> ?search:string list -> Ipaddr.t list -> unit
(** [set_resolvers t ~search servers] makes [servers] the DNS servers of [t]: see
    {!Resolver.set_servers} and {!Search_list.create}. At first there are none. Until then [t] uses
    the servers that routers advertise ({!Weir_core.Autoconf}). *)

val resolvers : t -> Ipaddr.t list
val has_resolvers : t -> bool

val candidates : t -> string -> Weir_wire.Dns.name list
(** [candidates t name] is {!Search_list.candidates}. *)

val resolve :
  t ->
  now:Time.t ->
  Weir_wire.Dns.Kind.t list ->
  Weir_wire.Dns.name list ->
  (Resolver.progress -> unit) ->
  unit ->
  unit
(** [resolve t ~now kinds names f] sends queries: see {!Resolver.ask}. [f] is called by a function
    of {!next_call}. The result ends the wait; it must be called in the end. *)

(** {1 Running} *)

val step : t -> now:Time.t -> bool
(** [step t ~now] processes a batch of frames, runs the timers that are due, and flushes. It is
    [true] if more frames may wait: then call it again after other fibers have run. *)

val spins : t -> bool
(** [spins t] is whether the driver, after {!step} was [false], calls it again once all others have
    run, instead of waiting for the link: see {!Spin}. *)

val flush : t -> now:Time.t -> unit
(** [flush t ~now] sends the stack's output. *)

val wrote : ?by:Time.t -> t -> unit
(** [wrote t] notes that a user has written and may write more: the driver will {!flush} soon. With
    [by], the flush happens at that instant at the latest. *)

val flush_due : t -> bool
(** [flush_due t] is true if {!wrote} was called since the last {!flush}. *)

val run_due : t -> now:Time.t -> unit
(** [run_due t ~now] runs the timers that are due. The driver calls it when its timer fires, and
    then calls {!sleep_until}; until then [rearm] is not called. *)

val sleep_until : t -> Time.t
(** [sleep_until t] is when {!run_due} must be called, at the latest; [Time.never] if not at all. A
    deadline that moves later is not reported: {!run_due} then finds nothing to do. *)

(** {2 Telling} *)

val next_call : t -> unit -> unit
(** [next_call t] is the next function that the driver must call, or {!no_call}: the wake function
    ({!Weir_core.Tcp.set_wake}) of a connection, listener or socket with an event. It may call back
    into the host. *)

val no_call : unit -> unit
(** Compared by [==]. *)

val call : t -> (unit -> unit) -> unit
(** [call t f] adds [f] to the functions of {!next_call}. *)

val tell : t -> unit
(** [tell t] calls all functions of {!next_call}. *)

(** {1 The end} *)

val close_connection : ?abort:bool -> t -> now:Time.t -> Tcp.connection -> unit
(** [close_connection t ~now c] is {!Weir_core.Tcp.close}, or with [abort] (default [false])
    {!Weir_core.Tcp.abort}, of [c]; written bytes are sent before a reset, as far as the windows
    allow. *)

val close_all : t -> now:Time.t -> Tcp.connection list
(** [close_all t ~now] closes every connection and returns those whose peers have not acknowledged
    all. *)

val still_live : Tcp.connection list -> Tcp.connection list
(** [still_live l] is [l] without its leading connections whose peers have acknowledged all. *)

val sent_all : t -> now:Time.t -> bool
(** [sent_all t ~now] gives DHCP leases back ({!Stack.release_dhcp}), and is true if no packet waits
    in the output queue or for a neighbour's address. *)

val on_ended : t -> (unit -> unit) -> unit
(** [on_ended t f] makes [t] call [f ()] when the peer of a connection has acknowledged all. A new
    [f] replaces the old one. *)

val release : t -> now:Time.t -> unit
(** [release t ~now] resets every connection except those whose peers have acknowledged all. It
    closes listeners and sockets, with events for their users, and the link. Idempotent. *)

val is_released : t -> bool

(** {1 Echo} *)

type pong = Reply of { bytes : int; ttl : int; rtt_ns : int } | Failed of string | Lost

val ping :
  t ->
  now:(unit -> Time.t) ->
  data_length:int ->
  sequence:int ->
  Ipaddr.t ->
  (pong -> unit) ->
  unit ->
  unit
(** [ping t ~now ~data_length ~sequence a answered] sends an ICMP echo request; [answered p] is
    called when the answer comes, or at once with [Failed] if it cannot be sent. The result stops
    the wait; it must always be called in the end. *)
