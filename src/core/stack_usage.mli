(** The use of a host's bounded resources. *)

val count : Stack_state.t -> Usage.t
(** [count t] is {!Stack.usage}. It visits all connections. *)
