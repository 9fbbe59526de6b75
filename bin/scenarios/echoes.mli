(** Scenarios that send and expect the same back. *)

val echo_server : ?port:int -> Weir_sim.host -> unit
(** [echo_server h] sends back what comes to port 7. *)

val ask : Weir_sim.host -> Weir_sim.host -> string -> unit
(** [ask client server text] requires that an echo comes back as it was sent. *)

val converse : Weir_sim.host -> Weir_sim.host -> rounds:int -> upset:(unit -> unit) -> unit
(** [converse client server ~rounds ~upset] sends lines over one connection, each when the one
    before has come back, while [upset ()] runs. *)

val echo : Scenario.t
val many_clients : Scenario.t
val restart : Scenario.t
val partition : Scenario.t
val pause : Scenario.t
val chaos : Scenario.t
