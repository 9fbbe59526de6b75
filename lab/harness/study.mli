(** A study: a question, and how to answer it on this machine. *)

type target = {
  claim : string;
  measured : Sample.interval;
  bound : float;  (** the target holds if [measured.value <= bound] *)
  reason : string;  (** why it may not hold, in a sentence; empty if unknown *)
}

type outcome = {
  rows : Row.t list;
  tables : (string * Table.t) list;  (** captions and tables *)
  plots : string list;  (** [<svg>] elements: {!Plot.svg}, {!Bars.svg} *)
  summary : string;  (** the result in one sentence, with its numbers *)
  conclusion : string list;  (** sentences that are computed from the numbers *)
  targets : target list;
  warnings : string list;
}

type measuring =
  | Rounds of {
      rounds : int;  (** of a full run *)
      parts : Session.part list;
      outcome : Session.results -> outcome;
    }  (** each round is a process; rounds of different studies alternate *)
  | Once of (quick:bool -> progress:(string -> unit) -> outcome)
      (** the study runs its own rounds *)

type t = {
  name : string;  (** as in [weir lab NAME] *)
  question : string;
  published : string;  (** what the published study concluded, a sentence or two *)
  measuring : measuring;
}

val holds : target -> bool

val verdict : target -> string
(** [verdict t] says whether the target holds, or that the interval includes the bound. *)

val count : target list -> string
(** ["5 of 6 hold"] *)

val targets_table : target list -> Table.t

val not_measured : (string * string) list -> (string * Table.t) list
(** [not_measured l] is a table of the subjects left out and the reasons; no table if there are
    none. *)

val print : Format.formatter -> t -> outcome -> unit
(** [print ppf study outcome] is the question, tables, targets and warnings as text. *)
