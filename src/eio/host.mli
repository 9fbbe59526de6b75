(** One host under Eio: the loop that turns {!Weir_core.Stack} over a link.

    Frames are processed to completion in batches by one fiber; what an application's call lets out
    leaves in that call. No fiber is switched to per packet, and an idle host sleeps. *)

type t

val create :
  sw:Eio.Switch.t ->
  clock:_ Eio.Time.Mono.t ->
  ?random:Random.State.t ->
  ?hosts:(string * Ipaddr.t) list ->
  link:#Weir_link.Link.t ->
  Weir_core.Stack.settings ->
  t
(** [create ~sw ~clock ~link settings] starts the host; its fibers are daemons of [sw]. When [sw] is
    released, connections that still live are reset, but those that only wait for the peer to close,
    and the link is closed; to end them in order, call {!shutdown} first. [random] defaults to one
    seeded by the operating system. *)

val stack : t -> Weir_core.Stack.t
val link_stats : t -> Weir_link.Link.stats
val now : t -> Weir_base.Time.t
val hosts : t -> (string * Ipaddr.t) list

val flush : t -> unit
(** [flush t] sends what the stack has to send. Call it after any call on the stack. *)

val shutdown : ?timeout_ns:int -> t -> unit
(** [shutdown t] closes every connection, sends what is queued and waits until all peers have
    acknowledged, at most [timeout_ns] (default 2 s). *)

(** {1 Waiting}

    For the modules of this room. Each waits until the condition may have changed; all are
    cancellable. *)

type waiters = Eio.Condition.t

val await : waiters -> (unit -> 'a option) -> 'a
(** [await w f] is the first [Some] that [f] gives, called now and after each event. *)

val own_connection : Weir_core.Tcp.connection -> waiters -> unit
(** [own_connection c w]: events of [c] wake [w]. *)

val own_listener : Weir_core.Tcp.listener -> waiters -> unit
val own_datagrams : Weir_core.Udp_sockets.socket -> waiters -> unit

val sleep : t -> Weir_base.Time.t -> unit
(** [sleep t ns] by the host's clock. *)

val pump : t -> Weir_drive.Pump.t
