(** BBR version 3 (draft-ietf-ccwg-bbr-06): congestion control by a model of the path, its bandwidth
    and its round trip without queues, instead of by losses. It paces at the bandwidth, keeps at
    most about two bandwidth-delay products in flight, and probes for more every two to three
    seconds. Up to about 1% of random loss does not slow it; more than 2% lost while probing bounds
    what it keeps in flight. {!Bbr_model} is the model, {!Bbr_phases} the states.

    It wants SACK and timestamps. Without SACK each loss counts as too much, as the draft says. It
    does not react to ECN. *)

val algorithm : Congestion.algorithm
(** Its name is ["bbr"]. *)

val behaviour : Bbr_model.t Congestion.behaviour
(** What {!algorithm} is made of. *)
