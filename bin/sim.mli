val cmd : int Cmdliner.Cmd.t
(** The subcommand. *)
