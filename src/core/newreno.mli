(** Loss recovery with a peer that does not permit SACK: fast retransmit at the third duplicate,
    then one hole a round trip (RFC 6582), at the pace of proportional rate reduction (RFC 9937).
    With SACK {!Sack_recovery} stands here. *)

val on_duplicate : Tcb.t -> unit
(** [on_duplicate t]: an ACK has come that RFC 5681 §2 calls a duplicate. *)

val on_new_ack : Tcb.t -> acked:int -> before:int -> unit
(** [on_new_ack t ~acked ~before]: SND.UNA has moved by [acked], when [before] was in flight. *)

val on_sent : Tcb.t -> int -> unit
(** [on_sent t n]: [n] numbers went, new or again: PRR counts them. *)

val on_timeout : Tcb.t -> first:bool -> unit
(** [on_timeout t ~first]: the retransmission timer ran out; [first] if not for the same segment
    again. *)
