(** How CUBIC's window grows in congestion avoidance, and how far it falls (RFC 9438): by a cubic
    function of the time since the last loss, whatever the round trip, but nowhere slower than Reno.
    Windows are bytes, times nanoseconds. *)

open Weir_base

type t

val create : unit -> t

val increase : t -> now:Time.t -> rtt:int -> cwnd:int -> mss:int -> acked:int -> int
(** [increase t ~now ~rtt ~cwnd ~mss ~acked] is the window after [acked] bytes were acknowledged
    (§4.2 to §4.5). *)

val on_unused : t -> now:Time.t -> unit
(** [on_unused t ~now]: the window did not bound the flow; the time that passed is left out (§5.8).
*)

val reduce : t -> flight:int -> cwnd:int -> mss:int -> int
(** [reduce t ~flight ~cwnd ~mss] is the new threshold after a loss (§4.6, §4.7). *)

val on_timeout : t -> unit
(** [on_timeout t], after {!reduce}: growth begins anew (§4.8). *)

val remember : t -> unit

val undo : t -> unit
(** [undo t] goes back to where {!remember} was (§4.9). *)

val algorithm : Congestion.algorithm
(** CUBIC as the algorithm of a connection, with slow start by {!Hystart}; its name is ["cubic"]. *)
