(** {!Resolver} over a host's own sockets and connections. {!Pump} runs it. *)

open Weir_base
open Weir_core

type t

val create : Stack.t -> random:Random.State.t -> t
(** [create stack ~random] has no servers. *)

val resolver : t -> Resolver.t

val ask :
  t ->
  now:Time.t ->
  Weir_wire.Dns.Kind.t list ->
  Weir_wire.Dns.name list ->
  (Resolver.progress -> unit) ->
  unit ->
  unit
(** [ask t ~now kinds names f] is {!Resolver.ask}, whose progress {!run} passes to [f]. The result
    cancels it; it may be called at any time, under the same lock as [t]. *)

val run : t -> now:Time.t -> tell:((unit -> unit) -> unit) -> bool
(** [run t ~now ~tell] takes what has come, lets time pass, and queues what is to be sent in the
    stack. [tell f] is called for each [f] that the driver must call. It is [true] if there is
    something to send. *)

val is_idle : t -> bool
(** [is_idle t]: {!run} would do nothing, because nothing is asked. *)

val deadline : t -> Time.t

val stop : t -> now:Time.t -> tell:((unit -> unit) -> unit) -> unit
(** [stop t] ends every request: see {!Resolver.stop}. *)
