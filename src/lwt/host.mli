(** One host under Lwt: Lwt's engine runs {!Weir_drive.Pump}.

    No thread waits for frames: the link's descriptor or notification starts a step, which processes
    a batch of frames. Bytes written without waiting are sent together, at the end of the step that
    woke the writer or of the iteration of Lwt's loop. An idle host has at most one timer.

    A host, with all its connections, listeners and sockets, belongs to the domain that made it,
    which must be the one that runs Lwt's loop. In any other, every call that would touch it raises
    {!Error.exception-Wrong_domain} at once. The other end of its link may be anywhere. *)

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
(** [create ~link settings] starts the host. It lives until {!close}, which the end of the program
    calls for hosts that go by {!Clock.system}. [clock] is {!Clock.system} unless given; [random]
    defaults to one seeded by the operating system. [resolvers] and [search] are as in
    {!set_resolvers}. [spin_ns] is how long the host looks for frames before it blocks, while that
    pays: see {!Weir_drive.Spin}. The default is 100 µs, or 0, never, on a machine with one
    processor. Only links with a descriptor are looked at. *)

val attach : t -> mac:Weir_wire.Mac.t -> #Weir_link.Link.t -> Weir_core.Interface.t
(** [attach t ~mac link] gives [t] another interface, on [link], which is closed with it. It has no
    address yet: see {!Weir_core.Stack.add_address}.
    @raise Invalid_argument if no way is known to wait for [link]'s frames. *)

(** {1 DHCP}

    {!Weir_lwt} describes these; [interface] is its number, by default 0. *)

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
(** [check t] returns in [t]'s domain. It allocates nothing.
    @raise Error.Wrong_domain in any other. *)

val stack : t -> Weir_core.Stack.t

val path_mtu : t -> Ipaddr.t -> int
(** [path_mtu t a] is {!Weir_core.Stack.path_mtu}: the longest packet for the path to [a]. *)

val usage : t -> Weir_core.Usage.t
(** [usage t] is {!Weir_core.Stack.usage}: how much is in use of all that the host bounds. *)

val link_stats : t -> Weir_link.Link.stats
(** [link_stats t] are those of the first link. *)

val now : t -> Weir_base.Time.t
val clock : t -> Clock.t
val hosts : t -> (string * Ipaddr.t) list

val set_resolvers : t -> ?search:string list -> Ipaddr.t list -> unit
(** [set_resolvers t ~search servers] makes [servers], at most 4, the DNS servers of [t], and
    [search], at most 6, the domains in which names with no dot are looked for (default: none). At
    first a host has none, or those of {!create}. Cached answers are forgotten. *)

val resolvers : t -> Ipaddr.t list
val pump : t -> Weir_drive.Pump.t

val close_connection : t -> abort:bool -> Weir_core.Tcp.connection -> unit
(** As {!Weir_drive.Pump.close_connection}. *)

val flush : t -> unit
(** [flush t] sends what the stack has to send. Call it after any call on the stack. *)

val shutdown : ?timeout_ns:int -> t -> unit Lwt.t
(** [shutdown t] closes every connection, sends what is queued and waits until all peers have
    acknowledged, at most [timeout_ns] (default 2 s). What is left then is reset by {!close},
    without another wait. *)

val close : ?linger_ns:int -> t -> unit Lwt.t
(** [close t] closes every connection and sends the written bytes. The promise waits until the peers
    have acknowledged them, at most [linger_ns] (default 5 s). Then the remaining connections are
    reset and the link is closed. With [linger_ns:0] all connections are reset at once, as in a
    crash. Idempotent. *)

val give_memory_back : t -> 'a Lwt.t
(** [give_memory_back t] returns memory to the system after many connections have closed: see
    {!Weir_drive.Memory}. It goes on until it is cancelled. *)

(** {1 For the modules of this room} *)

(** {2 A user's call} *)

val enter : t -> (unit -> 'a Lwt.t) -> 'a Lwt.t
(** [enter t f] is [f ()]. Before it, other threads run if the quantum is used up: many bytes moved
    without waiting. *)

val spend_less : t -> int -> unit
(** [spend_less t n] gives the quantum back most of [n] bytes that were taken from it: they were not
    copied. *)

val spend : t -> int -> unit
(** [spend t n] takes [n] bytes from the quantum. *)

val wrote : t -> unit
(** [wrote t]: bytes were written that are to be sent soon. *)

(** {2 Waiting} *)

type waiters = unit Lwt_condition.t

val await : waiters -> (unit -> 'a option) -> 'a Lwt.t
(** [await w f] is the first [Some] that [f] gives, called now and after each event. Cancelling it
    either rejects it before [f] gave anything, or has no effect. *)

val own_connection : Weir_core.Tcp.connection -> waiters -> unit
(** [own_connection c w]: events of [c] wake [w]. *)

val own_listener : Weir_core.Tcp.listener -> waiters -> unit
val own_datagrams : Weir_core.Udp_sockets.socket -> waiters -> unit
val wake : waiters -> unit

val until_closed : t -> waiters -> unit -> unit
(** [until_closed t w] has [close t] wake [w], unless its result is called before. *)

val is_closed : t -> bool

val await_source : t -> Ipaddr.t -> unit Lwt.t
(** [await_source t a] waits until [t] has an address from which it can send to [a], if one is being
    tested for duplicates; not for more than 3 s. *)

val sleep : t -> Weir_base.Time.t -> unit Lwt.t
(** [sleep t ns] by the host's clock. *)
