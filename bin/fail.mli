(** How every subcommand ends badly: one line on standard error that says what to do, whatever has
    become of the standard descriptors. *)

exception Usage of string
(** The user asked for what cannot be: exit status 2. *)

exception Failed of string
(** It was tried and did not work: exit status 1. *)

exception Told of int
(** The user knows; the exit status. *)

val usage : ('a, Format.formatter, unit, 'b) format4 -> 'a
val failed : ('a, Format.formatter, unit, 'b) format4 -> 'a

val describe : exn -> string * int
(** [describe e] is the line that tells [e], [""] if there is nothing to tell, and the exit status.
    A broken pipe is not told: who has stopped reading knows. *)

val tell : string -> unit
(** [tell s] prints [weir: s] on standard error, if that can be written, unless [s] is [""]. *)

val run : (unit -> unit) -> int
(** [run f] is the exit status of [f ()], its error printed. *)

val run_status : (unit -> int) -> int
(** [run_status f] is [f ()], or as {!run} if it raises. *)

val flush_all : told:bool -> int
(** [flush_all ~told] writes out what the standard channels and formatters hold: 0, or 1 if standard
    output could not be written, which is told unless the user has been told of a failure. Nothing
    that runs later, such as the runtime's own flush at exit, fails by it. *)

val one_line : string -> string
(** [one_line s] is [s] with its lines trimmed and joined by spaces. *)

val exits : Cmdliner.Cmd.Exit.info list
(** What [--help] says of the exit statuses: 0, 1 and 2. *)
