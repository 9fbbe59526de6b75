(** The results of a study: one number a row, as in the JSON file. *)

type t = {
  study : string;
  subject : string;
  test : string;
  metric : string;
  unit_ : string;
  value : float;
  low : float;
  high : float;  (** [low] and [high] bound the 95% interval *)
  n : int;  (** runs measured *)
  sample : Sample.t option;  (** the values of the rounds, if it was measured in rounds *)
}

val of_sample :
  study:string ->
  subject:string ->
  test:string ->
  metric:string ->
  unit_:string ->
  n:int ->
  Sample.t ->
  t

val of_measure : study:string -> subject:string -> test:string -> Measure.t -> t list
(** [of_measure m] is the rows [time], [minor_words], [major_words] and [promoted_words], if they
    are known. *)

val ratios : study:string -> test:string -> reference:string -> Measure.t list -> t list
(** [ratios ~study ~test ~reference ms] is a row [time_over_REFERENCE] for each of [ms] except
    [reference] itself: the ratio of the times, round by round. There are no rows if [reference] is
    not among [ms]. *)

val ratio :
  study:string -> subject:string -> test:string -> reference:string -> Measure.t -> Measure.t -> t
(** [ratio a b] is the row [time_over_REFERENCE]: the time of [a] divided by that of [b]. *)

val over : string
(** The prefix of the metrics of ratios. *)

val find : t list -> subject:string -> test:string -> metric:string -> float option
val sample : t list -> subject:string -> test:string -> metric:string -> Sample.t option

val json : machine:(string * string) list -> t list -> string
(** [json ~machine rows] is the one object [{machine, results}]. A number that is not finite becomes
    null. A time has an array [rounds] with the value of each round. *)
