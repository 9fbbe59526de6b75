(** The listeners of a host: which ports they may have, what waits for {!accept}, and which of them
    a segment is for. {!Tcp} gives and describes the user's calls among these. *)

open Weir_wire

val may_bind : ?share:bool -> Tcp_state.t -> address:Ip.t -> port:int -> reuse:bool -> bool

val listening_on : ?share:bool -> Tcp_state.t -> address:Ip.t -> int -> bool
(** [listening_on t ~address port] is true if a listener has [port] of [address], or of any. With
    [share] (default false), only one that does not share it. *)

val listen :
  ?share:bool ->
  Tcp_state.t ->
  address:Ip.t ->
  port:int ->
  backlog:int ->
  reuse:bool ->
  (Tcb.listener, [ `In_use | `No_port ]) result

val intercept : Tcp_state.t -> backlog:int -> Tcb.listener
val is_held : Tcb.t -> bool
val answer : Tcb.t -> unit
val accept : Tcb.listener -> Tcb.t option
val iter_waiting : (Tcb.t -> unit) -> Tcb.listener -> unit
val listener_address : Tcb.listener -> Ip.t
val listener_port : Tcb.listener -> int
val set_prepare : Tcb.listener -> (Tcb.t -> unit) -> unit
val listener_wake : Tcb.listener -> unit -> unit
val set_listener_wake : Tcb.listener -> (unit -> unit) -> unit
val close_listener : Tcp_state.t -> Tcb.listener -> unit
val close_listeners : Tcp_state.t -> unit

val listener_for : Tcp_state.t -> src:Ip.t -> src_port:int -> dst:Ip.t -> int -> Tcb.listener option
(** [listener_for t ~src ~src_port ~dst port] is the listener that connections from there to [port]
    of [dst] are for: the one with the closest address. Of those that share the port it is always
    the same one for the same peer. The interceptor is not among them. *)
