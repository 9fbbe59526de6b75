(** What a connection sends next: RFC 9293 §3.8 (data communication), §3.7.4 (Nagle), §3.8.6
    (windows), RFC 3042. {!Tcp_emit} writes it. One call makes at most one segment, straight into
    the frame. *)

val next : Tcb.t -> Bytes.t -> off:int -> int
(** [next t b ~off] writes [t]'s next segment (TCP header and data) at [off] and is its length, or 0
    if nothing is to be sent now. [b] must have room for a segment of the connection's MSS with 60
    bytes of header. Timers that the segment needs are armed; [t.shared.now] is the time. *)
