(** How the command lines of Weir's programs are evaluated. *)

val version : string
(** What [--version] prints: the release, and the git commit of the sources where that is known,
    with "changed since" if they are not as committed. *)

val evaluate : ?run:((unit -> int) -> int) -> int Cmdliner.Cmd.t -> int
(** [evaluate cmd] is the exit status of [cmd] on the program's arguments. For arguments that make
    no sense that is 2, and standard error gets one line. [run] is called with the evaluation, to
    turn exceptions into statuses (default: it just calls it). *)

val exits : Cmdliner.Cmd.Exit.info list
(** What [--help] says of the exit statuses: 0, 1 and 2. *)

val one_line : string -> string
(** [one_line s] is [s] with its lines trimmed and joined by spaces. *)
