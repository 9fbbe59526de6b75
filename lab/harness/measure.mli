(** Measures the cost of a run. A subject is run in batches of several sizes. The slope of the cost
    over the size is the cost of one run, without the fixed cost of a batch.

    Subjects that are compared are measured together, in passes, so that a slow phase of the machine
    affects all of them. The time of a size is the least of all passes, and the slope is the median
    of the slopes between sizes. Time is processor time ({!Clock.cpu_ns}), because on a shared
    machine the wall clock also counts other processes. Pass [wall] if a subject waits for something
    outside.

    This module does one round, in one process. A run has several rounds, each in its own process
    ({!Session}). *)

type subject

val subject : ?wall:bool -> string -> (unit -> unit) -> subject
(** [subject name f] is a subject with [f ()] as one run. Pass the results that [f] computes to
    {!keep}. *)

val batches : ?wall:bool -> string -> (timed:((unit -> unit) -> unit) -> int -> unit) -> subject
(** [batches name f] is a subject with [f ~timed n] as a batch of [n] runs. [f] must do the runs
    inside one call of [timed], and may prepare and clean up around it (such as entering a
    scheduler). *)

val name : subject -> string

type took = { cpu_ns : int; wall_ns : int }

val elsewhere : string -> (int -> took) -> subject
(** [elsewhere name f] is measured by another process: [f n] does [n] runs there. Its words are
    unknown, which is [nan]. *)

val keep : 'a -> unit
(** [keep v] prevents the compiler from removing the computation of [v]. *)

type reading = {
  time : float;  (** nanoseconds for a run *)
  minor : float;  (** words for a run; [nan] if unknown *)
  major : float;
  promoted : float;
  runs : int;  (** in all batches *)
  cpu_ns : int;  (** in all batches *)
  wall_ns : int;
  largest : int;  (** runs of the largest batch *)
}
(** The result of one round for a subject. *)

val round :
  ?vary:(int -> int) ->
  seconds:float ->
  largest:(string -> int option) ->
  subject list ->
  (string * (reading, string) result) list
(** [round ~seconds ~largest subjects] measures each subject for about [seconds]. The result is by
    the subjects' names. [largest name] is the size of its largest batch if an earlier round found
    it; otherwise it is found first, which takes a little longer. [vary] changes that size for this
    round only, so that collections do not fall on the same runs in every round. [Error] is the text
    of the [Failure] that the subject raised. *)

type t = {
  name : string;
  time : Sample.t;  (** nanoseconds *)
  minor : Sample.t;  (** words *)
  major : Sample.t;
  promoted : Sample.t;
  n : int;  (** runs in all rounds *)
  stretch : float;  (** wall time divided by processor time: about 1 on a quiet machine *)
}
(** The result of a run for a subject. *)

val of_readings : string -> reading option array -> t
(** [of_readings name readings] has a reading for each round, in order. *)

val settle : t list -> t list
(** [settle ts] applies {!Sample.settle} to the times of all subjects of a run. *)

val time : t -> float
(** [time t] is the centre of [t.time]. *)

val warnings : (string * t) list -> string list
(** [warnings results] names the eight results with the least certain times and the number of
    uncertain ones, and says whether the machine was busy. *)
