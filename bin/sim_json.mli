(** Sweeps as JSON, without loss. *)

val write : Sim_runs.sweep -> Yojson.Safe.t
(** [write s] is one object. *)

val read : string -> Sim_runs.sweep
(** [read file] is the sweep that [file] holds.
    @raise Fail.Usage if it cannot be read or holds none. *)
