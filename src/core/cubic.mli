(** CUBIC (RFC 9438). In congestion avoidance the window is a cubic function of the time since the
    last loss, independent of the round-trip time, and never grows slower than Reno's. Windows are
    bytes, times nanoseconds. *)

open Weir_base

type t

val create : unit -> t

val increase : t -> now:Time.t -> rtt:int -> cwnd:int -> mss:int -> acked:int -> int
(** [increase t ~now ~rtt ~cwnd ~mss ~acked] is the window after [acked] bytes were acknowledged
    (§4.2 to §4.5). *)

val reduce : t -> flight:int -> cwnd:int -> mss:int -> int
(** [reduce t ~flight ~cwnd ~mss] is the new threshold after a loss (§4.6, §4.7). *)

val on_timeout : t -> unit
(** [on_timeout t] restarts the growth. Call it after {!reduce} (§4.8). *)

val remember : t -> unit

val undo : t -> unit
(** [undo t] restores the state that {!remember} saved (§4.9). *)

val algorithm : Congestion.algorithm
(** The algorithm ["cubic"], with slow start by {!Hystart}. *)
