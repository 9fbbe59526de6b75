(** Gives the page its global [weirMachine]. *)
