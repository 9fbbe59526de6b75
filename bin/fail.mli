(** How every subcommand ends badly: one line on standard error that says what to do. *)

exception Usage of string
(** The user asked for what cannot be: exit status 2. *)

exception Failed of string
(** It was tried and did not work: exit status 1. *)

val usage : ('a, Format.formatter, unit, 'b) format4 -> 'a
val failed : ('a, Format.formatter, unit, 'b) format4 -> 'a

val run : (unit -> unit) -> int
(** [run f] is the exit status of [f ()], its error printed. *)

val one_line : string -> string
(** [one_line s] is [s] with its lines trimmed and joined by spaces. *)

val exits : Cmdliner.Cmd.Exit.info list
(** What [--help] says of the exit statuses: 0, 1 and 2. *)
