(** The retransmission timeout (RFC 6298). All spans are nanoseconds. *)

type t

val create : initial:int -> min:int -> max:int -> t

val sample : t -> int -> unit
(** [sample t rtt] takes a round-trip measurement of a segment that was sent once (Karn's rule, §3)
    and ends any backoff. *)

val current : t -> int
(** [current t] is the timeout to arm, backoff included. *)

val after : t -> doublings:int -> int
(** [after t ~doublings] is the timeout doubled so many times, or as often as {!back_off} has done:
    for a timer that counts its own turns. *)

val back_off : t -> unit
(** [back_off t] doubles the timeout, up to its maximum (§5.5). *)

val after_lost_syn : t -> unit
(** [after_lost_syn t] begins with 3 s if the handshake took a retransmission and gave no sample
    (§5.7). *)

val srtt_ns : t -> int
(** [srtt_ns t] is the smoothed round-trip time, -1 before the first sample. *)

val rttvar_ns : t -> int
