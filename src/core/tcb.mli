(** The transmission control block (RFC 9293 §3.3.1): the record of a connection, and what all parts
    of TCP do with it: the queues that it waits in, what its user can do, its heap entry, its end.
    {!Tcp_input}, {!Tcp_output} and {!Tcp_timer} hold the behaviour. Outside the core a connection
    is abstract: {!Tcp.connection}. *)

open Weir_base

include module type of struct
  include Tcb_record
end

val want_output : t -> unit
(** [want_output t] puts [t] in the output queue unless it is there already. *)

val ack_now : t -> unit
(** [ack_now t] requests one more immediate ACK. *)

val notify : t -> unit
(** [notify t] puts [t] in the ready queue, and clears the wish, if what its user waits for has
    happened. *)

val listener_ready : listener -> unit

val arm : t -> unit
(** [arm t] sets the timer of [t] to its earliest deadline. Call it after deadlines changed. *)

val flight : t -> int
(** [flight t] is the number of sequence numbers sent and not acknowledged. *)

val readable : t -> bool
(** [readable t] is true if a read returns at once, with data, the end, or an error. *)

val writable : t -> bool
(** [writable t] is true if there is enough room to wake a writer, or an error. *)

val send_room : t -> int
(** [send_room t] is how many more bytes may be queued: as many as the windows allow now plus 32 KiB
    (8 KiB for a peer whose window was never above 2 KiB), up to the send buffer's bound, and up to
    {!short_path_buffer} if the round trip is below {!short_path}. *)

val short_path : Time.t
(** 2 ms: below it buffers do not grow beyond {!short_path_buffer}. *)

val short_path_buffer : int
(** 1 MB. *)

val starve : t -> unit
(** [starve t] notes that the writer of [t] waits for memory. *)

val feed : t -> unit
(** [feed t] wakes a writer that waits for memory. *)

val want_relief : shared -> unit
(** [want_relief s] makes {!Pressure} run soon. *)

val connected : t -> bool
(** [connected t]: the handshake is over, or has failed. *)

val peer_finished : t -> bool
(** [peer_finished t]: every byte up to the peer's FIN has been received. *)

val peer_has_all : t -> bool
(** [peer_has_all t]: the user has closed, and the peer acknowledged all that was sent and our FIN;
    or the connection failed. What [want_closed] waits for. *)

val set_state : t -> state -> unit

val close : t -> error option -> unit
(** [close t error] goes to CLOSED: timers stop, the connection leaves the tables, its user gets an
    event. Bytes received in order stay readable, even after a reset, unless the user has closed.
    All other buffers are freed. *)

val enter_time_wait : t -> unit
(** [enter_time_wait t] takes [t] out of the tables, except for an ACK that it owes. {!Time_waits}
    remembers it. The user can read what has arrived. *)

val timestamp : shared -> offset:int -> int
(** [timestamp s ~offset] is the TSval now of a connection with that [ts_offset]. *)

val timestamp_now : t -> int
(** [timestamp_now t] is our TSval: milliseconds since a random origin per connection. *)
