(** One host under Eio: the loop that runs {!Weir_core.Stack} over a link.

    One fiber processes frames in batches. The bytes that a fiber writes are sent when it next
    waits, so that consecutive small writes share a segment. There is no fiber switch per packet,
    and an idle host sleeps.

    {b Domains.} Any domain may use a host: one lock protects the stack, and Eio wakes the fibers
    that wait. The loop runs in the domain that made the host. *)

type t

val create :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?random:Random.State.t ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?linger_ns:int ->
  ?seat:Weir_drive.Exchange.seat ->
  ?spin_ns:int ->
  link:#Weir_link.Link.t ->
  Weir_core.Stack.settings ->
  t
(** [create ~sw ~clock ~link settings] starts the host. [random] is by default seeded by the
    operating system. [resolvers] and [search] are as in {!set_resolvers}. [seat] makes it one of
    several hosts with the same address, each in its own domain: see {!Weir_drive.Exchange}.

    When [sw] ends or is cancelled, the host closes every connection and sends the written bytes.
    The switch waits until the peers have acknowledged them, at most [linger_ns] (default 5 s). Then
    the remaining connections are reset and the link is closed. With [linger_ns:0] all connections
    are reset at once, as in a crash.

    [spin_ns] is for how many nanoseconds the host polls its links for frames before it blocks, if
    its last wait was short: see {!Weir_drive.Spin}. The default is 100 µs; on a machine with one
    processor it is 0, and the host does not poll. It polls only links with a descriptor. *)

val attach :
  t -> sw:Eio.Switch.t -> mac:Weir_wire.Mac.t -> #Weir_link.Link.t -> Weir_core.Interface.t
(** [attach t ~sw ~mac link] adds an interface on [link] to [t], which owns [link]. Frames are
    received while [sw] lives, and the link is closed with the host. The interface has no address
    yet: use {!Weir_core.Stack.add_address} and the functions next to it, in {!with_stack}.
    @raise Invalid_argument if [link]'s readiness is not supported. *)

(** {1 DHCP}

    {!Weir_eio} describes these; [interface] is its number, by default 0. *)

val start_dhcp : t -> Weir_core.Interface.t -> Weir_core.Dhcp_config.t -> unit
(** [start_dhcp t i c] is {!Weir_core.Stack.start_dhcp}. *)

val lease : ?interface:int -> t -> Weir_core.Dhcp_lease.t option

val await_lease :
  ?interface:int ->
  ?timeout_ns:Weir_base.Time.t ->
  ?link:string ->
  t ->
  (Weir_core.Dhcp_lease.t, string) result

val lease_after :
  ?interface:int -> t -> Weir_core.Dhcp_lease.t option -> Weir_core.Dhcp_lease.t option

(** {1 Configuration by routers}

    {!Weir_eio} describes these. *)

val start_autoconf : t -> Weir_core.Interface.t -> unit
(** [start_autoconf t i] is {!Weir_core.Stack.start_autoconf}. *)

val autoconf : t -> Weir_core.Autoconf.configuration option

val await_autoconf :
  ?timeout_ns:Weir_base.Time.t ->
  ?link:string ->
  t ->
  (Weir_core.Autoconf.configuration, string) result

(** {1 Looking inside} *)

val link_stats : t -> Weir_link.Link.stats
(** [link_stats t] is the statistics of the first link. *)

val counters : t -> Weir_core.Counters.t
val config : t -> Weir_core.Config.t

val path_mtu : t -> Ipaddr.t -> int
(** [path_mtu t a] is {!Weir_core.Stack.path_mtu}: the longest packet for the path to [a]. Any
    domain may call it. *)

val usage : t -> Weir_core.Usage.t
(** [usage t] is {!Weir_core.Stack.usage}: how much of each limited resource is in use. Any domain
    may call it. *)

val now : t -> Weir_base.Time.t
val hosts : t -> (string * Ipaddr.t) list

val set_resolvers : t -> ?search:string list -> Ipaddr.t list -> unit
(** [set_resolvers t ~search servers] makes [servers], at most 4, the DNS servers of [t], and
    [search], at most 6, the domains in which names with no dot are looked for (default: none). At
    first a host has none, or those of {!create}. Cached answers are forgotten. Any domain may call
    it. *)

val resolvers : t -> Ipaddr.t list

val with_stack : t -> (Weir_core.Stack.t -> 'a) -> 'a
(** [with_stack t f] is [f stack] under the host's lock; afterwards the stack's output is sent. [f]
    must neither wait nor call other functions of the host. *)

val shutdown : ?timeout_ns:int -> t -> unit
(** [shutdown t] closes every connection, sends what is queued, waits until all peers have
    acknowledged, and gives DHCP leases back: at most [timeout_ns] (default 2 s). Connections that
    remain are reset when the switch ends, without another wait. *)

val release : t -> unit
(** [release t] resets every connection and closes the link, as in a crash. Idempotent. *)

val is_released : t -> bool

val give_memory_back : t -> 'a
(** [give_memory_back t] never returns: a server runs it as a daemon fiber. Each time many
    connections have closed, it returns memory to the system: see {!Weir_drive.Memory}. *)

(** {1 For the other modules of this library} *)

(** {2 The lock}

    Between {!lock} and {!unlock} nothing may wait, nor raise without unlocking. *)

val lock : t -> unit

val unlock : t -> unit
(** [unlock t] also wakes the fibers that have an event. *)

val unlock_and_raise : t -> exn -> 'a
(** [unlock_and_raise t e] is called in the handler of [e]; it raises [e] again with its backtrace.
*)

val pump : t -> (Weir_drive.Pump.t -> 'a) -> 'a
(** [pump t f] is [f pump] under the lock. *)

val stack : t -> Weir_core.Stack.t

val tcp : t -> Weir_core.Tcp.t
(** The lock is held while they are used. *)

val check_alive : t -> string -> unit
(** @raise Eio.Io (ENETDOWN) once the host has ended. *)

val flush_locked : t -> unit
(** [flush_locked t] sends what the stack has to send; the lock is held. *)

val close_locked : t -> abort:bool -> Weir_core.Tcp.connection -> unit
(** [close_locked t ~abort c] is {!Weir_drive.Pump.close_connection}, sent; the lock is held. *)

val flush : t -> unit
(** [flush t] is {!flush_locked} under the lock. *)

val longest_datagram : int
(** 65,507 bytes of UDP data. *)

val scratch : t -> Bytes.t
(** [scratch t] holds a datagram between the stack and a user's buffers; the lock is held. *)

(** {2 A user's call} *)

val enter : t -> unit
(** [enter t] comes first in each call of a user. It raises if the fiber is cancelled. It yields to
    other fibers when the calling fiber has used up its quantum of bytes and calls without waiting.
*)

val spend_less : t -> int -> unit
(** [spend_less t n] gives the quantum back most of [n] bytes that were taken from it: they were not
    copied. *)

val spend : t -> int -> unit
(** [spend t n] takes [n] bytes from the quantum; the lock is held. *)

val wrote : t -> unit
(** [wrote t] notes that bytes were written that must be sent soon; the lock is held. *)

type waiters = Waiters.t

val await : t -> waiters -> (unit -> 'a option) -> 'a
(** [await t w f] is the first [Some] that [f] returns. [f] is called now and after each event. *)

val own_connection : Weir_core.Tcp.connection -> waiters -> unit
(** [own_connection c w] makes events of [c] wake the fibers in [w]; the lock is held. *)

val own_listener : Weir_core.Tcp.listener -> waiters -> unit
val own_datagrams : Weir_core.Udp_sockets.socket -> waiters -> unit

val await_source : t -> Ipaddr.t -> unit
(** [await_source t a] waits, for at most 3 s, while the only address from which [t] could send to
    [a] is being tested for duplicates. *)

val sleep : t -> Weir_base.Time.t -> unit
(** [sleep t ns] by the host's clock. *)
