(** To which packets an option of [weir run] applies: [WHAT[/in|/out][@WHERE]], or between two
    programs on one network [A,B:WHAT[/in|/out]]. *)

type way =
  | Out
  | In  (** from the program, and to it; between members, from [A] to [B], and back *)

type t = { ways : way list; where : Run_where.t }

val everything : t

val split : string -> (string * t, string) result
(** [split s] is what stands there without its scope, and the scope. *)

val join : string -> t -> string
(** [join what t] is what {!split} takes apart. *)

val pp : Format.formatter -> t -> unit
(** [pp] prints [/in@10.0.0.0/8], or [ between a and b], or nothing for {!everything}. *)

val is_member : string -> bool
(** [is_member s] is true if a program on a network may be called [s]: letters, digits, - and _. *)

val is_between : t -> bool
(** [is_between t] is true if [t] is for packets between members only. *)

val concerns : t -> from:string -> to_:string -> bool
(** [concerns t ~from ~to_] is true if [t] is for what member [from] sends to [to_]. *)
