(** Rounds of a study, each in a fresh process.

    The addresses of code, stack and heap change times by some percent and are fixed in a process.
    So each round starts this program again, and varies the layout by the system's address
    randomisation, an environment of a random size (which moves the stack), blocks of random sizes
    in the heap and a random order of the parts. *)

type t
(** A round, within its process. *)

val quick : t -> bool

val index : t -> int
(** The number of the round, from 0. *)

val measure : t -> group:string -> seconds:float -> Measure.subject list -> unit
(** [measure t ~group ~seconds subjects] measures the subjects together, in a random order
    ({!Measure.round}), each for [seconds]. Group names must be unique, as must subject names in a
    group; they must not contain tabs or newlines. A subject that fails is left out. *)

val record : t -> group:string -> string -> Measure.reading -> unit
(** [record t ~group name reading] adds a reading that was measured in another way. *)

val leave_out : t -> string -> string -> unit
(** [leave_out t name why] reports that [name] is not measured. *)

type part = t -> unit
(** Part of a study. It calls the functions above. *)

(** {1 In the process that starts the rounds} *)

type results

val empty : results

val run_round : study:string -> quick:bool -> index:int -> results -> (results, string) result
(** [run_round ~study ~quick ~index results] runs round [index] of the study in a new process and
    adds it to [results], which has the earlier rounds. [Error] says why the process failed. Its
    time limit is ten minutes. *)

val group : results -> string -> Measure.t list
(** [group results name] is the measurements of that group, in the order of the study's parts. *)

val groups : results -> (string * Measure.t list) list
(** All groups, in the order of the study's parts. *)

val warnings : results -> string list
(** {!Measure.warnings} of all groups. *)

val left_out : results -> (string * string) list
(** [left_out results] is the subjects that were left out, each once, with the reason. *)

val settled : results -> results
(** [settled results] applies {!Measure.settle} to all times of the study. Call it after the last
    round. *)

val run_if_asked : (string -> part list option) -> unit
(** [run_if_asked parts] returns, unless this process was started by {!run_round}: then it runs the
    parts of the study and exits. Call it first in [main]. *)
