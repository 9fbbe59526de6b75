(** Processes that a study starts. Each has a time limit, and is stopped by its process id. *)

type t

exception Failed of string
(** A child failed; the message says which and why. *)

val failed : ('a, unit, string, 'b) format4 -> 'a
(** [failed fmt ...] raises {!Failed}. *)

val start : ?quiet:bool -> ?environment:string array -> seconds:float -> string list -> t
(** [start ~seconds argv] runs a program, found on the PATH. Its standard input and output are pipes
    to this process. Its standard error is that of this process, or /dev/null if [quiet] (default
    false). [environment] is by default that of this process. Its time limit is [seconds] from now.
*)

val worker : seconds:float -> string list -> t
(** [worker ~seconds args] starts this program again, with the arguments {!worker_word} and [args].
*)

val worker_word : string
(** The first argument of a worker. *)

val pid : t -> int

val tell : t -> string -> unit
(** [tell t line] writes a line to its standard input. *)

val await : t -> string -> unit
(** [await t line] reads lines up to [line].

    @raise Failed if the child, or its time, ends before. *)

val lines : t -> string list
(** [lines t] waits for the end of the child and is the remaining lines of its output.

    @raise Failed if its exit status is not 0, or its time ends before. *)

val stop : t -> unit
(** [stop t] ends the child if it still runs, by SIGTERM, and after a second by SIGKILL. Idempotent.
*)

val within :
  ?quiet:bool -> ?environment:string array -> seconds:float -> string list -> (t -> 'a) -> 'a
(** [within ~seconds argv f] is [f child]. The child is stopped when [f] returns or raises. *)

val within_worker : seconds:float -> string list -> (t -> 'a) -> 'a

val run : ?quiet:bool -> seconds:float -> string list -> string list
(** [run ~seconds argv] is the lines that the program writes.
    @raise Failed as {!lines}. *)

val on_path : string -> bool
(** [on_path p] is whether the program [p] is on the PATH. *)
