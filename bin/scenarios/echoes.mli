(** Scenarios that send and expect the same back. *)

val echo : Scenario.t
val many_clients : Scenario.t
val restart : Scenario.t
val partition : Scenario.t
val pause : Scenario.t
val chaos : Scenario.t
