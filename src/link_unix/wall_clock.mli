(** The system's time of day. *)

val epoch_ns : now:Weir_base.Time.t -> Weir_base.Time.t
(** [epoch_ns ~now] is the [epoch_ns] of {!Weir_link.Pcap_link.record} that makes records show the
    real time of day, if it is [now] this instant. *)
