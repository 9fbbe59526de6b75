(** [weir run]: a program in a network of its own, whose only way out is Weir. *)

val cmd : int Cmdliner.Cmd.t
