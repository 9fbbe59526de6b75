(** The study's own numbers. *)

val find : string -> string -> string -> float option
(** [find subject test metric] is in nanoseconds, words or percent. *)
