(** [weir lab]: the studies. Only a program built in a checkout has them. *)

val be_worker_if_asked : unit -> unit
(** The stack study starts this program again for each measurement. In such a process this function
    measures and exits. *)

val cmd : int Cmdliner.Cmd.t
