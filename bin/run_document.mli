(** What [--json] writes and the page shows: the run, its sums, its samples, its connections. *)

type run = {
  command : string list;
  seed : int;
  conditions : string list;  (** in words *)
  started : float;  (** seconds since 1970 *)
  began : Weir_base.Time.t;
  until : Weir_base.Time.t;
  ended : string;  (** how the program did *)
}

val make :
  run ->
  Run_report.t ->
  Run_series.t ->
  cuts:(Weir_base.Time.t * Weir_base.Time.t * string) list ->
  queues:(string * int * int) list ->
  Yojson.Safe.t
