(** What a subcommand that serves prints while it does: beside the service, so that a reader that
    has stopped, a full disk or a closed descriptor ends no request. *)

type t

val run : (t -> unit) -> unit
(** [run f] is [f journal]; what is printed then leaves within two seconds or is lost, and how many
    lines were lost without a word in the log is told on standard error.
    @raise Fail.Told for what [f] raises, once that is told. *)

val log : t -> string -> unit
(** [log t s] prints the line [s] on standard output. It neither waits nor raises. *)

val say : t -> string -> unit
(** [say t s] is {!log} for lines that are few. *)

val warn : t -> string -> unit
(** [warn t s] prints [weir: s] on standard error likewise. *)

val lost : t -> int
(** [lost t] is how many lines of standard output were lost so far. *)
