(** Scenarios that move much. *)

val bulk : Scenario.t
val slow_reader : Scenario.t
val site : Scenario.t
