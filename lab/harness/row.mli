(** What a study finds, one number a row, as its JSON has it. *)

type t = {
  study : string;
  subject : string;
  test : string;
  metric : string;
  unit_ : string;
  value : float;
  low : float;
  high : float;
  n : int;
}

val of_measure : study:string -> subject:string -> test:string -> Measure.t -> t list
(** [of_measure m] is the rows time, minor_words, major_words and promoted_words, those of them that
    are known. *)

val find : t list -> subject:string -> test:string -> metric:string -> float option

val json : machine:(string * string) list -> t list -> string
(** [json ~machine rows] is the one object [{machine, results}]. A number that is not finite is
    null. *)
