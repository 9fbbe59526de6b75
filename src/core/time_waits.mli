(** The queue of connections in TIME-WAIT, oldest first; it may hold some that have closed. *)

val forget_oldest : Tcb.t Queue.t -> bool
(** [forget_oldest q] closes the one that has waited longest; false if there is none. *)

val forget_finished : Tcb.t Queue.t -> unit
(** [forget_finished q] removes closed connections from its front. *)
