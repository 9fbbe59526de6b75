(** [weir lab]: the studies, where this program was built in a checkout; the packages have none. *)

val be_worker_if_asked : unit -> unit
(** The stack study starts this program again for each measurement: then it measures and exits. *)

val cmd : int Cmdliner.Cmd.t
