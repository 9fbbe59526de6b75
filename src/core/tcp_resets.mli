(** RSTs: that end a connection, and that answer segments of none. *)

open Weir_wire

val stamped : Tcb.t -> Segment.t -> Segment.t
(** [stamped c s] is [s] with the timestamps of [c], if its peer uses them (RFC 7323 §3.2). *)

val of_connection : Tcb.t -> Segment.t
(** [of_connection c] is a RST that the peer of [c] accepts. *)

val abort : Tcp_state.t -> Tcb.t -> unit
(** [abort] is {!Tcp.abort}. *)

val refuse :
  ?as_of:(Segment.t -> Segment.t) -> Tcp_state.t -> src:Ip.t -> dst:Ip.t -> Segment.t -> unit
(** [refuse t ~src ~dst s] answers [s], which came from [src] to [dst], with a RST that its sender
    accepts, unless [s] is one (RFC 9293 §3.10.7.1). [as_of] completes the answer, by default
    nothing: {!stamped}[ c] makes it a RST of [c]. *)
