(** The next segment of a connection: RFC 9293 §3.8 (data communication), §3.7.4 (Nagle), §3.8.6
    (windows), RFC 3042. One call makes at most one segment, straight into the frame. *)

val next : Tcb.t -> Bytes.t -> off:int -> int
(** [next t b ~off] writes [t]'s next segment (TCP header and data) at [off] and is its length, or 0
    if nothing is to be sent now. [b] must have room for a segment of the connection's MSS with 60
    bytes of header. Timers that the segment needs are armed; [t.shared.now] is the time. *)

val syn_was_sent : Tcb.t -> unit
(** [syn_was_sent c] is for a connection made from a SYN cookie: its SYN-ACK was sent before [c]
    existed. *)

val bare_seq : Tcb.t -> Seq.t
(** [bare_seq t] is the sequence number for a segment without data: the highest that is certainly in
    the peer's window. *)

val window_update_due : Tcb.t -> bool
(** [window_update_due t] is true if the user has read enough to send a window update. *)
