(** A segment arrives for a connection: RFC 9293 §3.10.7.3 (SYN-SENT) and §3.10.7.4 (all later
    states), one function a step, with the checks of RFC 5961 and RFC 7323. LISTEN and CLOSED
    (§3.10.7.2, §3.10.7.1) are {!Tcp_passive}'s. *)

(** What the caller must do besides. *)
type verdict =
  | Done
  | Reply_reset  (** answer the segment with a RST as §3.10.7.1 forms it *)
  | Other_handshake
      (** in SYN-RECEIVED, an ACK of another SYN-ACK or another SYN, not processed yet: see
          {!synchronised} *)

val segment : Tcb.t -> Segment.t -> Bytes.t -> data:int -> verdict
(** [segment t h b ~data] processes the segment with header [h], whose [h.data_length] bytes begin
    at [data] in [b]; [b] is only read, and not kept. The connection is put in the output queue if
    it must answer. *)

val synchronised : Tcb.t -> Segment.t -> Bytes.t -> data:int -> verdict
(** [synchronised t h b ~data] processes a segment for which {!segment} returned {!Other_handshake}
    as §3.10.7.4 says, if it belongs to no handshake by cookie. *)

val acceptable : Segment.t -> rcv_nxt:Seq.t -> window:int -> bool
(** [acceptable h ~rcv_nxt ~window] is the first step: some of the segment is in the window. *)

val most_challenges : int
(** Challenge ACKs that a connection sends in a second. *)

val learn_options : Tcb.t -> Segment.t -> unit
(** [learn_options t h] takes MSS, window scale and timestamps from the peer's SYN [h], and sets
    IRS, RCV.NXT and the send window. *)
