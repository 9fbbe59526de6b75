(** Prints the report: [print SEEDS]. *)
