(** Reno's congestion control (RFC 5681, with byte counting): a segment more for each window
    acknowledged, half of what was in flight after a loss. Slow start ends by {!Hystart}. *)

val algorithm : Congestion.algorithm
(** Its name is ["reno"]. *)
