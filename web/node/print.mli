(** Prints the report: [print SEEDS]; or measures: [print speed BYTES]. *)
