(** The retransmission timeout (RFC 6298). All spans are nanoseconds. *)

type t

val create : initial:int -> min:int -> max:int -> t

val sample : t -> int -> unit
(** [sample t rtt] adds a round-trip measurement and ends any backoff. The segment must have been
    sent only once (Karn's rule, §3). *)

val current : t -> int
(** [current t] is the timeout to arm, backoff included. *)

val after : t -> doublings:int -> int
(** [after t ~doublings] is the timeout doubled [doublings] times, or as often as {!back_off} did if
    that is more. It is for timers that count their own retries. *)

val back_off : t -> unit
(** [back_off t] doubles the timeout, up to its maximum (§5.5). *)

val after_lost_syn : t -> unit
(** [after_lost_syn t] sets the timeout to 3 s, for a handshake with a retransmission and no sample
    (§5.7). *)

val srtt_ns : t -> int
(** [srtt_ns t] is the smoothed round-trip time, -1 before the first sample. *)
