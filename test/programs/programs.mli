(** Programs run beside a test. All are killed and waited for when their switch is released, so that
    a failed test leaves none behind. *)

type env = Eio_unix.Stdenv.base

type result = {
  status : int;  (** the exit status, or 128 + the signal's number as shells have it *)
  out : string;
  err : string;
}

val run : env -> ?seconds:float -> ?stdin:string -> string list -> result
(** [run env argv] is what became of the program; a failed test if it takes longer than [seconds]
    (default 30). *)

val succeed : env -> ?seconds:float -> ?stdin:string -> string list -> string
(** [succeed env argv] is the standard output; a failed test unless the status is 0. *)

type running

val start : sw:Eio.Switch.t -> env -> ?ready:string -> string list -> running
(** [start ~sw env argv] returns once a line of standard output holds [ready] (not given: at once);
    a failed test if the program ends, or 10 s pass, before. *)

val output : running -> string
(** [output r] is what it has printed so far, both outputs. *)

val pid : running -> int

val finish : ?signal:int -> ?seconds:float -> running -> int
(** [finish r] sends [signal], if given, waits for the end and is the status as in {!result}; a
    failed test after [seconds] (default 10). *)

val weir : string -> string list -> string list
(** [weir sub args] is the command line of the [weir] built with this test. *)

val with_scratch : (string -> 'a) -> 'a
(** [with_scratch f] is [f dir] with a fresh folder that is removed afterwards. *)

val write : string -> string -> unit
(** [write path contents] makes a file. *)

val read : string -> string

val contains : string -> string -> bool
(** [contains s part] is whether [part] occurs in [s]. *)
