(** Rounds of a study, each in a fresh process.

    Where code, stack and heap lie in memory changes a time by some percent, and stays the same for
    the life of a process. So a round starts this program again. The system's randomised addresses,
    an environment of a random size (which moves the stack), blocks of random sizes in the heap and
    a random order of the parts make the layout another in each round. *)

type t
(** A round, in its process. *)

val quick : t -> bool

val index : t -> int
(** The number of the round, from 0. *)

val measure : t -> group:string -> seconds:float -> Measure.subject list -> unit
(** [measure t ~group ~seconds subjects] measures them together, in a random order
    ({!Measure.round}). [seconds] is for one subject in one round. The names of groups differ, and
    so do those of subjects in a group; they hold no tab or newline. A subject that fails is left
    out. *)

val record : t -> group:string -> string -> Measure.reading -> unit
(** [record t ~group name reading] says what was measured in another way. *)

val leave_out : t -> string -> string -> unit
(** [leave_out t name why] says that [name] is not measured. *)

type part = t -> unit
(** Part of a study. It calls the functions above. *)

(** {1 In the process that starts them} *)

type results

val empty : results

val run_round : study:string -> quick:bool -> index:int -> results -> (results, string) result
(** [run_round ~study ~quick ~index results] runs round [index] of the named study in a process of
    its own and adds it to [results], which has the rounds before it. [Error] says why the process
    failed. It has ten minutes. *)

val group : results -> string -> Measure.t list
(** [group results name] is what was measured under that name, in the order of the study's parts.
    All times of a study are {!Measure.settle}d together. *)

val groups : results -> (string * Measure.t list) list
(** All groups, in the order of the study's parts. *)

val warnings : results -> string list
(** {!Measure.warnings} of all groups. *)

val left_out : results -> (string * string) list
(** [left_out results] has each name once, with the reason. *)

val settled : results -> results
(** [settled results], called after the last round, estimates what all times have in common. *)

val run_if_asked : (string -> part list option) -> unit
(** [run_if_asked parts], called first in [main], returns unless this process was started by
    {!run_round}. Then it runs the parts of the named study and exits. *)
