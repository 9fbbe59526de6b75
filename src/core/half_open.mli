(** A listener's queue of connections in SYN-RECEIVED. *)

val forget_finished : Tcb.listener -> unit
(** [forget_finished l] removes connections that have left SYN-RECEIVED. It works only when needed:
    the queue stays below about twice the number of half-open connections. *)
