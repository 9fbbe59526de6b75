(** [weir resolve]: DNS queries from Weir's own stack. *)

val cmd : int Cmdliner.Cmd.t
