(** What holds of a connection at any time between two calls. *)

val check : Weir_core.Tcb.t -> unit
(** [check c] fails the test with the connection's variables if something does not hold. *)

val pp : Format.formatter -> Weir_core.Tcb.t -> unit
(** [pp] prints the variables that matter, numbers relative to the initial ones. *)
