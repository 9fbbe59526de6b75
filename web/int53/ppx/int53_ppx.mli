(** Rewrites a source for {!Int53}: opens that module, makes numbers of literals of more than 31
    bits. *)
