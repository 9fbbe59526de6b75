(** [weir lab]: the studies. *)

val cmd : int Cmdliner.Cmd.t
