(** A study: a question, and what it takes to answer it on this machine. *)

type target = {
  claim : string;
  measured : Sample.interval;
  bound : float;  (** the target holds if [measured.value <= bound] *)
  reason : string;  (** why it may not hold, a sentence; empty if that is not known *)
}

type outcome = {
  rows : Row.t list;
  tables : (string * Table.t) list;  (** each with its caption *)
  plots : string list;  (** [<svg>] elements: {!Plot.svg}, {!Bars.svg} *)
  summary : string;  (** what holds today, in one sentence with its numbers *)
  conclusion : string list;  (** what the numbers say, a sentence each, made from them *)
  targets : target list;
  warnings : string list;
}

type measuring =
  | Rounds of {
      rounds : int;  (** of a full run *)
      parts : Session.part list;
      outcome : Session.results -> outcome;
    }  (** each round is a process, and the rounds of all studies alternate *)
  | Once of (quick:bool -> progress:(string -> unit) -> outcome)
      (** the study has rounds of its own *)

type t = {
  name : string;  (** as in [weir lab NAME] *)
  question : string;
  published : string;  (** what the published study concluded, a sentence or two *)
  measuring : measuring;
}

val holds : target -> bool

val verdict : target -> string
(** [verdict t] says whether it holds, or that its interval reaches the bound. *)

val count : target list -> string
(** ["5 of 6 hold"] *)

val targets_table : target list -> Table.t

val not_measured : (string * string) list -> (string * Table.t) list
(** [not_measured l] is a table of what was left out and why, if anything was. *)

val print : Format.formatter -> t -> outcome -> unit
(** [print ppf study outcome] is the question, tables, targets and warnings as text. *)
