(** A server whose addresses of one family or both are dead, slow or refuse. *)

val happy_eyeballs : Scenario.t
