(** The output of [weir sim]. *)

val print_list : unit -> unit
val print_single : Sim_runs.totals -> unit
val table : Sim_runs.totals list -> unit

val print_failures : Sim_runs.totals list -> unit
(** Prints each failure with the fibers that wait and the command that repeats it. *)
