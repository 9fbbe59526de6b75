(** The text and the FIN of a segment that passed all checks: the seventh and eighth steps of RFC
    9293 §3.10.7.4. *)

val text : Tcb.t -> Segment.t -> Bytes.t -> data:int -> unit
(** [text t h b ~data] takes what is in the window of the [h.data_length] bytes at [data], in order
    or ahead of a gap, and owes the ACK. *)

val note_duplicate : Tcb.t -> Segment.t -> unit
(** [note_duplicate t h]: what of [h]'s data lies below RCV.NXT came again; the next ACK says so
    (RFC 2883 §4), if SACK was negotiated. *)

val keep : Tcb.t -> Segment.t -> Bytes.t -> data:int -> unit
(** [keep t h b ~data] stores the text of the SYN [h] ahead of RCV.NXT, at most a segment, until
    {!admit}; it is not acknowledged (§3.10.7.2, §3.10.7.3). *)

val admit : Tcb.t -> unit
(** [admit t]: the handshake is over, and text that came with the SYN is received now. *)

val note_fin : Tcb.t -> Segment.t -> unit
(** [note_fin t h] remembers where the peer's FIN stands, if [h] has it; in TIME-WAIT it restarts
    the wait. *)

val fin : Tcb.t -> unit
(** [fin t] passes the peer's FIN once all before it has come. *)
