(** How every subcommand fails: one line on standard error that says what to do. It works even if
    standard descriptors are closed or full. *)

exception Usage of string
(** The arguments are wrong: exit status 2. *)

exception Failed of string
(** The operation failed: exit status 1. *)

exception Told of int
(** The error has been printed already; the exit status. *)

val usage : ('a, Format.formatter, unit, 'b) format4 -> 'a
val failed : ('a, Format.formatter, unit, 'b) format4 -> 'a

val describe : exn -> string * int
(** [describe e] is the message for [e], [""] for none, and the exit status. A broken pipe has no
    message: its reader has stopped on purpose. *)

val tell : string -> unit
(** [tell s] prints [weir: s] on standard error, unless [s] is [""]. If it cannot, it does nothing.
*)

val run : (unit -> unit) -> int
(** [run f] runs [f ()], prints its error, and is the exit status. *)

val run_status : (unit -> int) -> int
(** [run_status f] is [f ()]; if it raises, as {!run}. *)

val flush_all : told:bool -> int
(** [flush_all ~told] flushes the standard channels and formatters. It is 0, or 1 if standard output
    could not be written; that error is printed unless [told], another error printed before. After
    it, later flushes, such as the runtime's at exit, do not fail. *)

val one_line : string -> string
(** [one_line s] is [s] with its lines trimmed and joined by spaces. *)

val exits : Cmdliner.Cmd.Exit.info list
(** The exit statuses 0, 1 and 2 for [--help]. *)
