(** A listener's queue of connections in SYN-RECEIVED. *)

val forget_finished : Tcb.listener -> unit
(** [forget_finished l] takes out those that have left SYN-RECEIVED, often enough that the queue is
    never longer than twice what is half open and a few. *)
