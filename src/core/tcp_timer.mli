(** A connection's timers have run out: RFC 9293 §3.10.8, RFC 6298 §5, zero-window probes
    (§3.8.6.1), keepalive (§3.8.4). *)

val expire : Tcb.t -> unit
(** [expire t] runs each timer of [t] that is due at [t.shared.now] and arms the next. *)
