(** The published numbers of the study. *)

val find : string -> string -> string -> float option
(** [find subject test metric] is in nanoseconds, words or percent. *)
