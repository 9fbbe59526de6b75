(** Processes that a study starts. Each has a time limit, and is stopped by its process id. *)

type t

exception Failed of string
(** A child did not do what was asked of it; the sentence says which and why. *)

val failed : ('a, unit, string, 'b) format4 -> 'a
(** [failed fmt ...] raises {!Failed}. *)

val start : ?quiet:bool -> ?environment:string array -> seconds:float -> string list -> t
(** [start ~seconds argv] runs the program [argv] names (sought on the PATH), its standard input and
    output being pipes to here, its standard error ours, or nothing if [quiet] (default false).
    [environment] is ours by default. Waiting for it ends [seconds] from now. *)

val worker : seconds:float -> string list -> t
(** [worker ~seconds args] starts this program again, with {!worker_word} and [args]. *)

val worker_word : string
(** The first argument of a worker. *)

val pid : t -> int

val tell : t -> string -> unit
(** [tell t line] writes a line to its standard input. *)

val await : t -> string -> unit
(** [await t line] reads lines up to that one.
    @raise Failed if it ends, or its time does, before. *)

val lines : t -> string list
(** [lines t] is what else it writes until it ends, which must be with status 0 within its time.
    @raise Failed otherwise. *)

val stop : t -> unit
(** [stop t] ends it, if it still runs: by SIGTERM, and after a second by SIGKILL. Idempotent. *)

val within :
  ?quiet:bool -> ?environment:string array -> seconds:float -> string list -> (t -> 'a) -> 'a
(** [within ~seconds argv f] is [f child], which is stopped however [f] ends. *)

val within_worker : seconds:float -> string list -> (t -> 'a) -> 'a

val run : ?quiet:bool -> seconds:float -> string list -> string list
(** [run ~seconds argv] is what it wrote.
    @raise Failed as {!lines}. *)

val on_path : string -> bool
(** [on_path p] says whether the program [p] is on the PATH. *)
