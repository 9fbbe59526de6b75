(** Scenarios with links that carry less than the hosts' own. *)

val black_hole : Scenario.t
