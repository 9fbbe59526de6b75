(** Cost per run, by regression: a subject is run in batches of geometrically growing size, and the
    slope over the batch size is the cost of one run, free of what a batch costs once.

    Subjects that are to be compared are measured together, in rounds, so that a slow phase of the
    machine falls on all of them; the time of a batch size is the least of the rounds, and the slope
    the median of those between sizes. Time is the processor's ({!Clock.cpu_ns}): on a shared
    machine it stays when the wall clock does not; where a subject waits for something outside, say
    so by [wall]. *)

type subject

val subject : ?wall:bool -> string -> (unit -> unit) -> subject
(** [subject name f] has [f ()] as one run. What [f] computes must be used: pass it to {!keep}. *)

val batches : ?wall:bool -> string -> (timed:((unit -> unit) -> unit) -> int -> unit) -> subject
(** [batches name f] has [f ~timed n] as a batch: it must do [n] runs inside one call of [timed],
    and may prepare and clean up around it (enter a scheduler). *)

type took = { cpu_ns : int; wall_ns : int }

val elsewhere : string -> (int -> took) -> subject
(** [elsewhere name f] is measured by another process: [f n] does [n] runs there. Its words are not
    known: their estimates are not numbers. *)

val keep : 'a -> unit
(** [keep v] makes the compiler believe that [v] is needed. *)

type estimate = {
  per_run : float;
  low : float;
  high : float;  (** bounds of the 95% interval *)
  r2 : float;
}

type t = {
  name : string;
  time : estimate;  (** nanoseconds *)
  minor : estimate;  (** words; [nan] where they are not known *)
  major : estimate;
  promoted : estimate;
  n : int;  (** runs in all *)
  stretch : float;  (** wall time for processor time: about 1 on a quiet machine *)
}

type quota = { rounds : int; seconds : float  (** for a subject, over all rounds *) }

val quick : quota
val full : quota

val all : ?progress:(string -> unit) -> quota -> subject list -> t list
(** [all quota subjects] is a result for each, in order. *)

val warnings : t list -> string list
(** [warnings ts] names the results that the machine's noise makes doubtful, and why. *)
