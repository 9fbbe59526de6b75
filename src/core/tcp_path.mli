(** The length of a connection's segments follows its path.

    - ICMP says that a segment was too long (RFC 1191, RFC 8201): {!too_big}, by the rules of RFC
      5927.
    - Long segments are lost without an ICMP report (RFC 4821): after two timeouts of a long segment
      its data are sent in shorter ones, and probes with real data find the longest length that
      passes.
    - {!Paths} shares what is found between connections, and forgets it after ten minutes.

    Segments in flight that are too long are cut and sent again at once, and the loss of a probe is
    repaired, without a reduction of the congestion window (RFC 1191 §6.5, RFC 4821 §7.6.1). *)

val header : Tcb.t -> int
(** [header t] is the length of the TCP header of a segment with data. *)

val headers : Tcb.t -> int
(** [headers t] is {!header} with the IP header. *)

val goal : Tcb.t -> int
(** [goal t] is the MSS by what is known of the path. *)

val follow : Tcb.t -> unit
(** [follow t] sets the MSS to {!goal}. It starts the search again if the last one ended too long
    ago, and takes a probe's success into account. *)

val too_big : Tcb.t -> seq:Seq.t -> mtu:int -> length:int -> unit
(** [too_big t ~seq ~mtu ~length] is a router's report that [t]'s packet of [length] bytes with
    sequence number [seq] did not fit into [mtu] bytes (0: not said). It is ignored unless [seq] is
    in flight (RFC 5927 §7.1) and [mtu] is less than that packet. If the amount of acknowledged data
    shows that packets of this length pass, the report waits for a timer, and counts only if [seq]
    is still not acknowledged then (RFC 5927 §7.2). *)

val report_counts : Tcb.t -> bool
(** [report_counts t] is called when a timer expires. It is true if a report waited and counts; the
    segments are then cut. *)

val on_timeout : Tcb.t -> unit
(** [on_timeout t] is called after a retransmission timeout, when [t.retries] was increased. It
    checks whether the path loses long segments. *)

val probe_timed_out : Tcb.t -> bool
(** [probe_timed_out t] gives up the probe in flight, if there is one, and sends its data again. *)

val explains_loss : Tcb.t -> bool
(** [explains_loss t] is called when segments were marked lost. If the probe is among them, its data
    go again in shorter segments; if the segment of the report that waited is among them, the report
    counts. It is true if this explains the loss, so that it is no sign of congestion. *)

val first_is_probe : Tcb.t -> bool
(** [first_is_probe t] is for a connection without SACK whose first segment in flight is lost: it is
    the probe, whose data go again in shorter segments. *)

val probe_size : Tcb.t -> int
(** [probe_size t] is the length of the probe to send now, 0 for none. *)

val probe_sent : Tcb.t -> size:int -> unit
(** [probe_sent t ~size] notes that the probe of [size] bytes from SND.NXT on is being sent. *)
