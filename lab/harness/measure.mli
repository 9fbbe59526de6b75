(** Cost per run. A subject is run in batches of several sizes, and the slope over the size is the
    cost of one run, free of what a batch costs once.

    Subjects that are to be compared are measured together, in passes, so that a slow phase of the
    machine falls on all of them. The time of a size is the least of the passes, and the slope the
    median of those between sizes. Time is the processor's ({!Clock.cpu_ns}): on a shared machine
    the wall clock also counts the others' work. Where a subject waits for something outside, pass
    [wall].

    This is one round, in one process. A run has several, in a process each ({!Session}). *)

type subject

val subject : ?wall:bool -> string -> (unit -> unit) -> subject
(** [subject name f] has [f ()] as one run. What [f] computes must be used: pass it to {!keep}. *)

val batches : ?wall:bool -> string -> (timed:((unit -> unit) -> unit) -> int -> unit) -> subject
(** [batches name f] has [f ~timed n] as a batch: it must do [n] runs inside one call of [timed],
    and may prepare and clean up around it (enter a scheduler). *)

val name : subject -> string

type took = { cpu_ns : int; wall_ns : int }

val elsewhere : string -> (int -> took) -> subject
(** [elsewhere name f] is measured by another process: [f n] does [n] runs there. Its words are not
    known: they are [nan]. *)

val keep : 'a -> unit
(** [keep v] makes the compiler believe that [v] is needed. *)

type reading = {
  time : float;  (** nanoseconds for a run *)
  minor : float;  (** words for a run; [nan] where they are not known *)
  major : float;
  promoted : float;
  runs : int;  (** in all batches *)
  cpu_ns : int;  (** in all batches *)
  wall_ns : int;
  largest : int;  (** runs of the largest batch *)
}
(** What one round says of a subject. *)

val round :
  ?vary:(int -> int) ->
  seconds:float ->
  largest:(string -> int option) ->
  subject list ->
  (string * (reading, string) result) list
(** [round ~seconds ~largest subjects] measures each subject for about [seconds], and names it with
    what it found. [largest name] is the size of its largest batch if an earlier round found it;
    otherwise it is found first, which takes a little longer. [vary] changes that size for this
    round only, so that collections do not fall on the same runs in every round. [Error] is the text
    of the [Failure] that the subject raised. *)

type t = {
  name : string;
  time : Sample.t;  (** nanoseconds *)
  minor : Sample.t;  (** words *)
  major : Sample.t;
  promoted : Sample.t;
  n : int;  (** runs in all rounds *)
  stretch : float;  (** wall time for processor time: about 1 on a quiet machine *)
}
(** What a run says of a subject. *)

val of_readings : string -> reading option array -> t
(** [of_readings name readings] has a reading for each round, in order. *)

val settle : t list -> t list
(** [settle ts] applies {!Sample.settle} to the times of all subjects of a run. *)

val time : t -> float
(** [time t] is the centre of [t.time]. *)

val warnings : (string * t) list -> string list
(** [warnings results] names the results whose times are doubtful (the eight most doubtful, and how
    many there are), and says whether the machine was busy. *)
