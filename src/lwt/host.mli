(** One host under Lwt: Lwt's engine runs {!Weir_drive.Pump}.

    The link's descriptor or notification starts a step, which processes a batch of frames; no
    thread waits for them. Bytes written without waiting in between are sent together, at the end of
    the step that woke the writer or of the iteration of Lwt's loop. An idle host has at most one
    timer.

    A host, with all its connections, listeners and sockets, belongs to the domain that created it,
    which must run Lwt's loop. A call from another domain raises {!Error.exception-Wrong_domain} at
    once. The other end of its link may belong to any domain. *)

type t

val create :
  ?clock:Clock.t ->
  ?random:Random.State.t ->
  ?hosts:(string * Ipaddr.t) list ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  ?spin_ns:int ->
  link:#Weir_link.Link.t ->
  Weir_core.Stack.settings ->
  t
(** [create ~link settings] starts the host. It runs until {!close}; at exit the program calls
    {!close} for hosts with {!Clock.system}. [clock] is {!Clock.system} unless given; [random]
    defaults to one seeded by the operating system. [resolvers] and [search] are as in
    {!set_resolvers}. [spin_ns] is how long the host polls for frames before it blocks, while frames
    come fast: see {!Weir_drive.Spin}. The default is 100 µs, or 0 (no polling) on a machine with
    one processor. Only links with a descriptor are polled. *)

val attach : t -> mac:Weir_wire.Mac.t -> #Weir_link.Link.t -> Weir_core.Interface.t
(** [attach t ~mac link] gives [t] another interface, on [link]. [link] is closed with [t]. The
    interface has no address yet: see {!Weir_core.Stack.add_address}.
    @raise Invalid_argument if the readiness of [link] is of an unknown kind. *)

(** {1 DHCP}

    {!Weir_lwt} describes these. [interface] is the interface's number, by default 0. *)

val start_dhcp : t -> Weir_core.Interface.t -> Weir_core.Dhcp_config.t -> unit
(** [start_dhcp t i c] is {!Weir_core.Stack.start_dhcp}. *)

val lease : ?interface:int -> t -> Weir_core.Dhcp_lease.t option

val await_lease :
  ?interface:int ->
  ?timeout_ns:Weir_base.Time.t ->
  ?link:string ->
  t ->
  (Weir_core.Dhcp_lease.t, string) result Lwt.t

val lease_after :
  ?interface:int -> t -> Weir_core.Dhcp_lease.t option -> Weir_core.Dhcp_lease.t option Lwt.t

(** {1 Configuration by routers}

    {!Weir_lwt} describes these. *)

val start_autoconf : t -> Weir_core.Interface.t -> unit
(** [start_autoconf t i] is {!Weir_core.Stack.start_autoconf}. *)

val autoconf : t -> Weir_core.Autoconf.configuration option

val await_autoconf :
  ?timeout_ns:Weir_base.Time.t ->
  ?link:string ->
  t ->
  (Weir_core.Autoconf.configuration, string) result Lwt.t

(** {1 Looking inside} *)

val check : t -> unit
(** [check t] does nothing in the domain of [t]. It allocates nothing.

    @raise Error.Wrong_domain in any other domain. *)

val stack : t -> Weir_core.Stack.t

val path_mtu : t -> Ipaddr.t -> int
(** [path_mtu t a] is {!Weir_core.Stack.path_mtu}: the longest packet for the path to [a]. *)

val usage : t -> Weir_core.Usage.t
(** [usage t] is {!Weir_core.Stack.usage}: how much of each limited resource is in use. *)

val link_stats : t -> Weir_link.Link.stats
(** [link_stats t] is the statistics of the first link. *)

val now : t -> Weir_base.Time.t
val clock : t -> Clock.t
val hosts : t -> (string * Ipaddr.t) list

val set_resolvers : t -> ?search:string list -> Ipaddr.t list -> unit
(** [set_resolvers t ~search servers] sets the DNS servers of [t], at most 4, and the domains in
    which names without a dot are looked up, at most 6 (default: none). More are ignored. Cached
    answers are dropped. *)

val resolvers : t -> Ipaddr.t list
val pump : t -> Weir_drive.Pump.t

val close_connection : t -> abort:bool -> Weir_core.Tcp.connection -> unit
(** As {!Weir_drive.Pump.close_connection}. *)

val flush : t -> unit
(** [flush t] sends the pending packets. Call it after any call on the stack. *)

val shutdown : ?timeout_ns:int -> t -> unit Lwt.t
(** [shutdown t] closes every connection, sends all written bytes and waits until all peers have
    acknowledged them, at most [timeout_ns] (default 2 s). A {!close} after that does not wait
    again: it resets the remaining connections. *)

val close : ?linger_ns:int -> t -> unit Lwt.t
(** [close t] closes every connection and sends the written bytes. The promise waits until the peers
    have acknowledged them, at most [linger_ns] (default 5 s). Then the remaining connections are
    reset and the link is closed. With [linger_ns:0] all connections are reset at once, as in a
    crash. Idempotent. *)

val give_memory_back : t -> 'a Lwt.t
(** [give_memory_back t] runs until it is cancelled. It returns memory to the system after many
    connections have closed: see {!Weir_drive.Memory}. *)

(** {1 For the other modules of this library} *)

(** {2 A user's call} *)

val enter : t -> (unit -> 'a Lwt.t) -> 'a Lwt.t
(** [enter t f] is [f ()]. If the quantum, the bytes that may move without waiting, is used up,
    other threads run first. *)

val spend_less : t -> int -> unit
(** [spend_less t n] gives the quantum back most of [n] bytes that were taken from it: they were not
    copied. *)

val spend : t -> int -> unit
(** [spend t n] takes [n] bytes from the quantum. *)

val wrote : t -> unit
(** [wrote t] says that bytes were written and must be sent soon. *)

(** {2 Waiting} *)

type waiters = unit Lwt_condition.t

val await : waiters -> (unit -> 'a option) -> 'a Lwt.t
(** [await w f] calls [f] now and after each event, until it returns [Some v]; it is [v]. Cancelling
    it either rejects it before that, or has no effect. *)

val own_connection : Weir_core.Tcp.connection -> waiters -> unit
(** [own_connection c w] makes events of [c] wake [w]. *)

val own_listener : Weir_core.Tcp.listener -> waiters -> unit
val own_datagrams : Weir_core.Udp_sockets.socket -> waiters -> unit
val wake : waiters -> unit

val until_closed : t -> waiters -> unit -> unit
(** [until_closed t w] makes [close t] wake [w], unless the returned function is called before. *)

val is_closed : t -> bool

val await_source : t -> Ipaddr.t -> unit Lwt.t
(** [await_source t a] waits, at most 3 s, while the address from which [t] would send to [a] is
    being tested for duplicates. *)

val sleep : t -> Weir_base.Time.t -> unit Lwt.t
(** [sleep t ns] is resolved after [ns] nanoseconds of the host's clock. *)
