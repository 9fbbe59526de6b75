(** Scenarios in several networks. *)

val router_crash : Scenario.t
