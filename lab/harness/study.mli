(** A study: a question, and what it takes to answer it on this machine. *)

type target = {
  claim : string;
  value : float;
  bound : float;  (** the claim holds if [value <= bound] *)
}

type outcome = {
  rows : Row.t list;
  tables : (string * string) list;  (** a caption, and the table as text *)
  plots : string list;  (** [<svg>] elements: {!Plot.svg}, {!Bars.svg} *)
  conclusion : string list;  (** what the numbers say, a sentence each, made from them *)
  targets : target list;
  warnings : string list;
}

type t = {
  name : string;  (** as in [weir lab NAME] *)
  question : string;
  run : quick:bool -> progress:(string -> unit) -> outcome;
}

val holds : target -> bool

val print : Format.formatter -> t -> outcome -> unit
(** [print ppf study outcome] is the question, tables, targets and warnings as text. *)

val page :
  command:(string list -> string) -> machine:(string * string) list -> (t * outcome) list -> string
(** [page ~command ~machine outcomes] is one HTML page with all of it and the plots, that refers to
    nothing outside; [command names] is what repeats the studies of these names. *)
