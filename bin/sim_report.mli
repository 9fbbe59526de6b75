(** What [weir sim] prints. *)

val print_list : unit -> unit
val print_single : Sim_runs.totals -> unit
val table : Sim_runs.totals list -> unit

val print_failures : Sim_runs.totals list -> unit
(** Each with what waits and the command that shows it again. *)

val json : Sim_runs.totals list -> Yojson.Safe.t
(** One object, for programs. *)
