(** One segment of a connection, written into a frame: its header from the connection's variables,
    its options, and its data from the ring. {!Tcp_output} says which segment is sent, and when.

    [b] and [off] are as of {!Tcp_output.next}, and each of {!syn}, {!ack} and {!data} is the length
    of the TCP segment. What the frame needs besides is in [t.shared]'s [out_...] fields. *)

val syn : Tcb.t -> Bytes.t -> off:int -> int
(** [syn t b ~off] writes the SYN of [t], or its SYN-ACK in SYN-RECEIVED, and arms the
    retransmission timer. *)

val syn_was_sent : Tcb.t -> unit
(** [syn_was_sent c] is for a connection made from a SYN cookie: its SYN-ACK was sent before [c]
    existed. *)

val ack : ?seq:Seq.t -> Tcb.t -> Bytes.t -> off:int -> int
(** [ack t b ~off] writes a segment without data, with the options that wait for one. [seq] is its
    sequence number, by default {!bare_seq}[ t]. *)

val needs_own_ack : Tcb.t -> bool
(** [needs_own_ack t] is true if an option waits that is sent in ACKs without data only. *)

val has_sack_blocks : Tcb.t -> bool
(** [has_sack_blocks t] is true if the next ACK has SACK blocks. *)

val bare_seq : Tcb.t -> Seq.t
(** [bare_seq t] is the sequence number for a segment without data: the highest that is certainly in
    the peer's window. *)

val data : Tcb.t -> seq:Seq.t -> len:int -> fin:bool -> Bytes.t -> off:int -> int
(** [data t ~seq ~len ~fin b ~off] writes [len] bytes of data from sequence number [seq] on, and the
    FIN if asked. SND.MAX, but not SND.NXT, goes forward. More than the MSS is one frame of many
    segments. *)

val set_retransmission : Tcb.t -> unit
(** [set_retransmission t] sets the time of the retransmission timer, if it is off, and stops the
    persist timer. {!Tcb.arm} must follow. *)

val arm_retransmission : Tcb.t -> unit
(** [arm_retransmission t] is {!set_retransmission} and {!Tcb.arm}. *)
