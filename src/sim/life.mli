(** One life of a host: its stack from the moment it is switched on until it crashes. *)

open Weir_link

type t

exception Crashed
(** What cancels the fibers of a host that crashes. *)

val start :
  World.t ->
  sw:Eio.Switch.t ->
  clock:Clock.t ->
  random:Random.State.t ->
  mac:Macaddr.t ->
  ?gateway:string ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  config:Weir_core.Config.t ->
  mtu:int ->
  send:(Frame.t -> unit) ->
  string ->
  t
(** [start w ~sw … address] is a host without sockets. It gives its frames to [send]. Its fibers are
    daemons of [sw], and {!Scheduler.waiting} does not show them. *)

val sw : t -> Eio.Switch.t
val host : t -> Weir_eio.host

val receive : t -> Frame.t -> unit
(** [receive t f] queues [f], which [t] then owns, for the stack. It drops [f] if 4,096 frames wait.
*)

val at_crash : t -> (unit -> unit) -> int
(** [at_crash t f]: [f ()] is called when [t] crashes. The result is for {!forget}. *)

val forget : t -> int -> unit
val is_over : t -> bool

val crash : t -> unit
(** [crash t] ends it at once, without sending any frame. Its fibers are cancelled; calls of other
    fibers on its sockets fail. Idempotent. *)
