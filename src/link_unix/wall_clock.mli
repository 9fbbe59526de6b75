(** The system's time of day. *)

val epoch_ns : now:Weir_base.Time.t -> Weir_base.Time.t
(** [epoch_ns ~now] is the [epoch_ns] to give {!Weir_link.Pcap_link.record} so that records show the
    real time of day. [now] is the current time of the clock that drives the link. *)
