(** Explicit congestion notification (RFC 3168): a router that is about to be congested marks a
    packet instead of dropping it. The receiver of the mark echoes it (ECE) until the sender says
    that it has lowered its window (CWR).

    Marked as capable (ECT(0)) are segments with new data. SYNs, ACKs without data, retransmissions
    and window probes are not (§6.1.4 to §6.1.6). Routers' marks are ignored on connections whose
    SYNs did not agree on ECN. *)

(** {1 The handshake, §6.1.1} *)

val request : Tcb.t -> bool
(** [request t] is true if the SYN that [t] sends now is to ask for ECN, and notes it. A
    retransmitted SYN does not ask (§6.1.1.1): perhaps the first was dropped because it did. *)

val agree : Tcb.t -> Segment.t -> unit
(** [agree t h] decides by the peer's SYN or SYN-ACK [h] whether [t] uses ECN. *)

val again : Tcb.t -> Segment.t -> unit
(** [again t syn] turns ECN off if the peer's repeated SYN no longer asks for it. *)

(** {1 The receiver, §6.1.3} *)

val on_data : Tcb.t -> Segment.t -> unit
(** [on_data t h] is called for each segment with data in the window, if [t] uses ECN. The mark of
    its packet is in {!Tcb.shared}. *)

(** {1 The sender, §6.1.2} *)

val on_echo : Tcb.t -> acked:int -> unit
(** [on_echo t ~acked] is called for an acceptable ACK with ECE, after it advanced SND.UNA by
    [acked]. It lowers the window, once for the data in flight; not while losses are recovered,
    since they have lowered it. *)

val responds : Tcb.t -> bool
(** [responds t] is true until data are acknowledged that were sent after the last reduction of the
    window. What was lost before does not lower it again. *)

val reduced : Tcb.t -> unit
(** [reduced t] is called when a loss has lowered the window: the next new data carry CWR. *)

val undone : Tcb.t -> unit
(** [undone t] is called when that turned out to be needless. *)

val mark : Tcb.t -> Segment.t -> again:bool -> unit
(** [mark t h ~again] sets CWR in [h], a segment with data that is being sent, and its packet's
    codepoint, unless it is a retransmission. Called if [t] uses ECN. *)
