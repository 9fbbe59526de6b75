(** The built-in scenarios of `weir sim`. *)

val all : Scenario.t list
(** [all] is in the order in which they are listed. *)

val find : string -> Scenario.t option
