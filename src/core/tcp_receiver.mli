(** The text and the FIN of a segment that passed all checks: the seventh and eighth steps of RFC
    9293 §3.10.7.4. *)

val text : Tcb.t -> Segment.t -> Bytes.t -> data:int -> unit
(** [text t h b ~data] stores the part of the [h.data_length] bytes at [data] that is in the window,
    in order or out of order, and schedules an ACK. *)

val note_duplicate : Tcb.t -> Segment.t -> unit
(** [note_duplicate t h] notes that the data of [h] below RCV.NXT are duplicates. If SACK was
    negotiated, the next ACK reports them by D-SACK (RFC 2883 §4). *)

val keep : Tcb.t -> Segment.t -> Bytes.t -> data:int -> unit
(** [keep t h b ~data] stores the text of the SYN [h] until {!admit}, at most one segment. It is not
    acknowledged yet (§3.10.7.2, §3.10.7.3). *)

val admit : Tcb.t -> unit
(** [admit t] is called when the handshake is over: it receives the text stored by {!keep}. *)

val note_fin : Tcb.t -> Segment.t -> unit
(** [note_fin t h] stores the sequence number of the peer's FIN, if [h] has one. In TIME-WAIT it
    restarts the wait. *)

val fin : Tcb.t -> unit
(** [fin t] processes the peer's FIN once all data before it have been received. *)
