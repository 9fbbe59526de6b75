(** Hosts whose addresses change under open connections. *)

val renumbering : Scenario.t
