(** The output of a subcommand that serves. It is written apart from the service, so that a slow
    reader, a full disk or a closed descriptor does not stop requests. *)

type t

val run : (t -> unit) -> unit
(** [run f] is [f journal]. When [f] has ended, the remaining lines are written within two seconds
    or lost. The number of lost lines that the log does not mention is printed on standard error.
    @raise Fail.Told for an exception of [f], after printing it. *)

val log : t -> string -> unit
(** [log t s] prints the line [s] on standard output. It neither waits nor raises. *)

val say : t -> string -> unit
(** [say t s] is {!log} for occasional lines. *)

val share : t -> unit
(** [share t] must be called before other domains use [t]. *)

val warn : t -> string -> unit
(** [warn t s] prints [weir: s] on standard error in the same way. *)

val lost : t -> int
(** [lost t] is the number of lines of standard output lost so far. *)
