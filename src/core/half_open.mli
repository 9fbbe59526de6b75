(** A listener's queue of connections in SYN-RECEIVED. *)

val drop_oldest : Tcb.listener -> unit
(** [drop_oldest l] closes the one that has waited longest, if there is one. *)

val forget_finished : Tcb.listener -> unit
(** [forget_finished l] takes out those that have left SYN-RECEIVED, often enough that the queue is
    never longer than twice what is half open and a few. *)
