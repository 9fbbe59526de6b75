(** What a host does as time passes: the timers of all its parts, and which is next. *)

open Weir_base

val tick : Stack_state.t -> now:Time.t -> unit
(** [tick] is {!Stack.tick}. *)

val deadline : Stack_state.t -> Time.t
(** [deadline] is {!Stack.deadline}. *)
