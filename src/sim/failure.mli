(** A failure in a world, and the command that replays it. *)

open Weir_base

type stop = Scheduler.stop =
  | Deadlock  (** no fiber can run and nothing is due *)
  | Time_limit of Time.t
  | Event_limit of int

type cause =
  | Stopped of stop
  | Raised of { host : string option; error : exn; backtrace : Printexc.raw_backtrace }
      (** by the world's function, or by a program of [host] *)

type t = {
  seed : int;
  at : Time.t;  (** virtual time *)
  events : int;
  cause : cause;
  waiting : string list;
      (** when [Stopped]: each fiber that waited, its host, in what, and where in the program *)
  connections : string list;  (** when [Stopped]: the connections of all hosts *)
  abandoned : bool;  (** some fibers did not end when they were cancelled *)
  replay : string;  (** the command that shows it again *)
}

exception Failed of t
(** [Printexc.to_string] prints it as {!pp} does. *)

val pp_cause : Format.formatter -> cause -> unit
(** [pp_cause] prints the error on one line. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints the seed, the time, the cause, the waiting fibers, and the command that replays it,
    on several lines. *)
