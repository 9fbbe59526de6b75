(** How long a connection may wait for its peer (RFC 9293 §3.9.1, RFC 5482). Without a user timeout,
    the number of retransmissions decides. *)

open Weir_base

val set : Tcb.t -> Config.user_timeout option -> unit
(** [set t u] is the user's call. If [u] is announced and [t] is established, an ACK tells the peer.
*)

val option : Tcb.t -> int
(** [option t] is {!Weir_wire.Tcp.t.user_timeout} of a segment that tells the peer, -1 if it is not
    to be told. *)

val received : Tcb.t -> Segment.t -> unit
(** [received t h] takes the peer's option in [h] (RFC 5482 §3.1): the limit becomes the longer one
    of both ends', but at least 100 s and at most an hour. Ignored unless ours is announced. *)

val begins : Tcb.t -> at:Time.t -> unit
(** [begins t ~at]: the peer has been silent since [at]. *)

val over : Tcb.t -> bool
(** [over t] is true if there is a user timeout and it has passed. *)

val is_set : Tcb.t -> bool

val clamp : Tcb.t -> Time.t -> Time.t
(** [clamp t at] is [at], or earlier if the timeout is over before. *)
