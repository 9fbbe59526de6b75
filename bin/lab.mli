(** [weir lab]: the studies. Only a program built in a checkout has them. *)

val be_worker_if_asked : unit -> unit
(** The studies start this program again for each round and measurement. In such a process this
    function measures and exits. *)

val cmd : int Cmdliner.Cmd.t
