(** Puts the shards of a sweep together. *)

val merge : string list -> Sim_runs.sweep
(** [merge files] is the whole sweep whose shards are in [files], in any order. It is equal to what
    one run of all seeds gives, except that [seconds] is the sum of the shards'.
    @raise Fail.Usage
      if a file cannot be read, if a shard is missing, there twice or interrupted, or if they are
      not of one sweep. *)
