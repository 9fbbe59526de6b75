(** BBR's states (draft-ietf-ccwg-bbr-06 §5.3): Startup and Drain, the cycle that probes for
    bandwidth, and ProbeRTT. Names are the draft's. *)

val check_startup_done : Bbr_model.t -> Congestion.t -> Congestion.ack -> unit
val check_full_bw_reached : Bbr_model.t -> Congestion.ack -> unit
val check_drain_done : Bbr_model.t -> Congestion.t -> Congestion.ack -> unit
val update_cycle : Bbr_model.t -> Congestion.t -> Congestion.ack -> unit
val check_probe_rtt : Bbr_model.t -> Congestion.t -> Congestion.ack -> unit

val check_probe_rtt_done : Bbr_model.t -> Congestion.t -> Congestion.ack -> unit
(** [check_probe_rtt_done t c a] leaves ProbeRTT if its time is over. *)

val probe_rtt_window : Bbr_model.t -> Congestion.t -> int

val inflight_too_high : Bbr_model.t -> Congestion.t -> tx_in_flight:int -> app_limited:bool -> unit
(** [inflight_too_high t c …] bounds what may be in flight, as a probe for bandwidth found the limit
    (§5.5.10). *)

val on_lost : Bbr_model.t -> Congestion.t -> unit
(** [on_lost t c] takes the lost segment of {!Congestion.rate} (§5.5.10.2). *)

val on_undone : Bbr_model.t -> Congestion.t -> unit
(** [on_undone t c]: there was no loss (§5.5.11.2). *)
