(** One life of a host: the time from its start to its crash, with the stack that it has in this
    time. *)

open Weir_link

type t

exception Crashed
(** What cancels the fibers of a host that crashes. *)

type nic = {
  mac : Macaddr.t;
  mtu : int;
  cidr : string;  (** address and network, or how it gets them *)
  send : Frame.t -> unit;  (** owns the frame *)
}
(** A network interface. *)

val start :
  World.t ->
  sw:Eio.Switch.t ->
  clock:Clock.t ->
  random:Random.State.t ->
  ?resolvers:Ipaddr.t list ->
  ?search:string list ->
  config:Weir_core.Config.t ->
  ?previous:Ipaddr.V4.t ->
  ?driver:Driver.start ->
  nic ->
  t
(** [start w ~sw … nic] is a host without sockets, on one link. Its fibers are daemons of [sw], and
    {!Scheduler.waiting} does not show them. [previous] is the address that a DHCP server gave to
    the life before. [driver] runs its stack, by default Eio's. *)

val attach : t -> nic -> unit
(** [attach t nic] gives [t] another interface; they are numbered from 0. *)

val sw : t -> Eio.Switch.t

val host : t -> Weir_eio.host
(** @raise Invalid_argument if its driver is not Eio's. *)

val stack : t -> Weir_core.Stack.t

val sent : t -> unit
(** [sent t] must be called after a change of {!stack}: it sends the stack's output. *)

val receive : t -> nic:int -> Frame.t -> unit
(** [receive t ~nic f] queues [f], which [t] then owns, for the stack's interface number [nic]. It
    drops [f] if 4,096 frames wait there. *)

val at_crash : t -> (unit -> unit) -> int
(** [at_crash t f]: [f ()] is called when [t] crashes. The result is for {!forget}. *)

val forget : t -> int -> unit
val is_over : t -> bool

val crash : t -> unit
(** [crash t] ends it at once, without sending any frame. Its fibers are cancelled; calls of other
    fibers on its sockets fail. Idempotent. *)
