(** One host under Lwt: {!Weir_drive.Pump} turned by Lwt's engine.

    There is no thread that waits for frames: the link's descriptor, or its notice, starts a turn,
    in which a batch is processed to completion; what an application's call lets out leaves in that
    call. An idle host has at most one timer.

    A host, with all its connections, listeners and sockets, belongs to the domain that made it,
    which must be the one that runs Lwt's loop. In any other, every call that would touch it raises
    {!Error.exception-Wrong_domain} at once, and so does the link that tells it of frames. *)

type t

val create :
  ?clock:Clock.t ->
  ?random:Random.State.t ->
  ?hosts:(string * Ipaddr.t) list ->
  link:#Weir_link.Link.t ->
  Weir_core.Stack.settings ->
  t
(** [create ~link settings] starts the host. It lives until {!close}. [clock] is {!Clock.system}
    unless given; [random] defaults to one seeded by the operating system. *)

val check : t -> unit
(** [check t] returns in [t]'s domain. It allocates nothing.
    @raise Error.Wrong_domain in any other. *)

val stack : t -> Weir_core.Stack.t
val link_stats : t -> Weir_link.Link.stats
val now : t -> Weir_base.Time.t
val clock : t -> Clock.t
val hosts : t -> (string * Ipaddr.t) list
val pump : t -> Weir_drive.Pump.t

val flush : t -> unit
(** [flush t] sends what the stack has to send. Call it after any call on the stack. *)

val shutdown : ?timeout_ns:int -> t -> unit Lwt.t
(** [shutdown t] closes every connection, sends what is queued and waits until all peers have
    acknowledged, at most [timeout_ns] (default 2 s). *)

val close : t -> unit Lwt.t
(** [close t] resets the connections that still live and closes the link. Idempotent. *)

(** {1 Waiting}

    For the modules of this room. *)

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

val sleep : t -> Weir_base.Time.t -> unit Lwt.t
(** [sleep t ns] by the host's clock. *)
